import { Type } from 'typebox'
import { KIND_PATTERN, type ToolResultValue } from '../values/tool-result-value.ts'
import { type DisplayHints, FIELD_TYPES, PREFERRED_VIEWS } from '../values/display-hints.ts'
import {
  ALIGNMENTS,
  COLUMN_TYPES,
  ENTRY_TYPES,
  type WellKnownValue,
} from '../values/well-known-value.ts'
import { CountSchema, JsonObjectSchema } from './json-schemas.support.ts'

/** Schema of `DisplayHints`. */
export const DisplayHintsSchema = Type.Unsafe<DisplayHints>(
  Type.Object({
    preferredView: Type.Optional(Type.Enum([...PREFERRED_VIEWS])),
    language: Type.Optional(Type.String()),
    collapsed: Type.Optional(Type.Boolean()),
    maxHeight: Type.Optional(Type.Number()),
    priority: Type.Optional(Type.Number()),
    fieldTypes: Type.Optional(
      Type.Object({}, { additionalProperties: Type.Enum([...FIELD_TYPES]) }),
    ),
  }),
)

const hints = {
  summary: Type.Optional(Type.String()),
  mimeType: Type.Optional(Type.String()),
  display: Type.Optional(DisplayHintsSchema),
}

const Text = Type.Object({
  kind: Type.Literal('text'),
  data: Type.Object({ content: Type.String() }),
  ...hints,
})

const Diff = Type.Object({
  kind: Type.Literal('diff'),
  data: Type.Object({
    path: Type.String(),
    original: Type.Optional(Type.String()),
    modified: Type.String(),
    isNew: Type.Boolean(),
    hunks: Type.Optional(
      Type.Array(
        Type.Object({
          oldStart: CountSchema,
          oldLines: CountSchema,
          newStart: CountSchema,
          newLines: CountSchema,
          lines: Type.Array(Type.String()),
        }),
      ),
    ),
    bytesWritten: Type.Optional(CountSchema),
  }),
  ...hints,
})

const FileContent = Type.Object({
  kind: Type.Literal('file_content'),
  data: Type.Object({
    path: Type.String(),
    content: Type.String(),
    size: CountSchema,
    encoding: Type.Optional(Type.String()),
  }),
  ...hints,
})

const FileList = Type.Object({
  kind: Type.Literal('file_list'),
  data: Type.Object({
    path: Type.String(),
    entries: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.Optional(Type.Enum([...ENTRY_TYPES])),
        size: Type.Optional(CountSchema),
        modified: Type.Optional(Type.String()),
      }),
    ),
    truncated: Type.Optional(Type.Boolean()),
  }),
  ...hints,
})

const Table = Type.Object({
  kind: Type.Literal('table'),
  data: Type.Object({
    columns: Type.Array(
      Type.Object({
        key: Type.String(),
        label: Type.Optional(Type.String()),
        type: Type.Optional(Type.Enum([...COLUMN_TYPES])),
        align: Type.Optional(Type.Enum([...ALIGNMENTS])),
      }),
    ),
    rows: Type.Array(JsonObjectSchema),
  }),
  ...hints,
})

const Image = Type.Object({
  kind: Type.Literal('image'),
  data: Type.Object(
    {
      url: Type.Optional(Type.String()),
      base64: Type.Optional(Type.String({ contentEncoding: 'base64' })),
      alt: Type.Optional(Type.String()),
    },
    { anyOf: [{ required: ['url'] }, { required: ['base64'] }] },
  ),
  ...hints,
})

const Structured = Type.Object({
  kind: Type.Literal('structured'),
  data: Type.Unknown(),
  ...hints,
})

const wellKnown = [Text, Diff, FileContent, FileList, Table, Image, Structured]

/** Schema of `WellKnownValue`. */
export const WellKnownValueSchema = Type.Unsafe<WellKnownValue>(Type.Union(wellKnown))

/** Schema of `ToolResultValue`. */
export const ToolResultValueSchema = Type.Unsafe<ToolResultValue>(
  Type.Union([
    ...wellKnown,
    Type.Object({
      kind: Type.String({
        pattern: KIND_PATTERN.source,
        not: { enum: wellKnown.map(({ properties }) => properties.kind.const) },
      }),
      data: Type.Unknown(),
      ...hints,
    }),
  ]),
)
