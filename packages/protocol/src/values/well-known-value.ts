import { type JsonObject, isBoolean, isCount, isJsonObject, isString } from '../json/json.ts'
import {
  type DataMismatch,
  type DataShape,
  findDataMismatch,
  createListShape,
  createObjectShape,
  createChoiceShape,
  createValueShape,
} from './data-shape.ts'
import type { DisplayHints } from './display-hints.ts'

/** The types of an entry in a file list. */
export const ENTRY_TYPES = ['file', 'directory', 'symlink'] as const

/** The types of a column's cells. */
export const COLUMN_TYPES = ['string', 'number', 'boolean', 'date'] as const

/** The alignments of a column's cells. */
export const ALIGNMENTS = ['left', 'center', 'right'] as const

/** The fields that all well-known values share. */
interface ValueFields {
  /** One line that can replace the value. */
  summary?: string
  /** The type of `data`, for example `text/markdown` or `image/png`. */
  mimeType?: string
  display?: DisplayHints
}

/** A text: `content` is plain text, or of the type `mimeType`. */
export interface TextValue extends ValueFields {
  kind: 'text'
  data: { content: string }
}

/** Consecutive changed lines with the lines around them. */
export interface DiffHunk {
  /** First line in the original, from 1; 0 if it has no lines. */
  oldStart: number
  /** Number of lines of the original. */
  oldLines: number
  /** First line in the modified file, from 1; 0 if it has no lines. */
  newStart: number
  /** Number of lines of the modified file. */
  newLines: number
  /** Each line starts with a space (unchanged), `-` (removed), `+` (added) or `\` (a note, such as a missing last newline). */
  lines: string[]
}

/** A change of one file. */
export interface DiffValue extends ValueFields {
  kind: 'diff'
  data: {
    path: string
    /** The complete file before the change. Absent: new, or unknown. */
    original?: string
    /** The complete file after the change. */
    modified: string
    /** Whether the change created the file. */
    isNew: boolean
    hunks?: DiffHunk[]
    /** Bytes that were written. Absent: unknown. */
    bytesWritten?: number
  }
}

/** The content of a file. */
export interface FileContentValue extends ValueFields {
  kind: 'file_content'
  data: {
    path: string
    /** The text of the file, or of the part that was read. */
    content: string
    /** Bytes. */
    size: number
    /** The encoding of the file on disk, such as `utf-8`. Absent: unknown. */
    encoding?: string
  }
}

/** One entry of a directory. */
export interface FileEntry {
  /** Relative to the `path` of the list. */
  name: string
  /** Absent: unknown. */
  type?: (typeof ENTRY_TYPES)[number]
  /** Bytes. */
  size?: number
  /** ISO 8601 date and time. */
  modified?: string
}

/** The entries of a directory. */
export interface FileListValue extends ValueFields {
  kind: 'file_list'
  data: {
    path: string
    entries: FileEntry[]
    /** Whether there are more entries than `entries`. */
    truncated?: boolean
  }
}

/** A column of a table: the key of a row, and how to show it. */
export interface TableColumn {
  /** The field of each row that the column shows. */
  key: string
  /** The heading. Absent: `key`. */
  label?: string
  /** The type of its cells. */
  type?: (typeof COLUMN_TYPES)[number]
  /** Default: `right` for a column of numbers, else `left`. */
  align?: (typeof ALIGNMENTS)[number]
}

/** Rows with columns. */
export interface TableValue extends ValueFields {
  kind: 'table'
  data: { columns: TableColumn[]; rows: JsonObject[] }
}

/** An image: at an address, as `base64`, or both. `alt`: the text for a person who cannot see it. */
export interface ImageValue extends ValueFields {
  kind: 'image'
  data: { alt?: string } & ({ url: string; base64?: string } | { base64: string; url?: string })
}

/** Any JSON value, shown as a tree or as JSON. */
export interface StructuredValue extends ValueFields {
  kind: 'structured'
  /** Any JSON value. */
  data: unknown
}

/** A value whose `kind` defines its `data`: switch on `kind`. */
export type WellKnownValue =
  | TextValue
  | DiffValue
  | FileContentValue
  | FileListValue
  | TableValue
  | ImageValue
  | StructuredValue

/** The kinds that docs/protocol.md defines. */
export type WellKnownKind = WellKnownValue['kind']

const STRING = createValueShape('a string', isString)
const BOOLEAN = createValueShape('true or false', isBoolean)
const COUNT = createValueShape('an integer from 0', isCount)

const DATA_SHAPES: Readonly<Record<WellKnownKind, DataShape>> = {
  text: createObjectShape({ content: STRING }),
  diff: createObjectShape(
    { path: STRING, modified: STRING, isNew: BOOLEAN },
    {
      original: STRING,
      hunks: createListShape(
        createObjectShape({
          oldStart: COUNT,
          oldLines: COUNT,
          newStart: COUNT,
          newLines: COUNT,
          lines: createListShape(STRING),
        }),
      ),
      bytesWritten: COUNT,
    },
  ),
  file_content: createObjectShape(
    { path: STRING, content: STRING, size: COUNT },
    { encoding: STRING },
  ),
  file_list: createObjectShape(
    {
      path: STRING,
      entries: createListShape(
        createObjectShape(
          { name: STRING },
          { type: createChoiceShape(ENTRY_TYPES), size: COUNT, modified: STRING },
        ),
      ),
    },
    { truncated: BOOLEAN },
  ),
  table: createObjectShape({
    columns: createListShape(
      createObjectShape(
        { key: STRING },
        {
          label: STRING,
          type: createChoiceShape(COLUMN_TYPES),
          align: createChoiceShape(ALIGNMENTS),
        },
      ),
    ),
    rows: createListShape(createValueShape('an object', isJsonObject)),
  }),
  image: {
    ...createObjectShape({}, { url: STRING, base64: STRING, alt: STRING }),
    requiresOneOf: ['url', 'base64'],
  },
  structured: createValueShape('any JSON', () => true),
}

/** Whether docs/protocol.md defines this kind. */
export function isWellKnownKind(kind: string): kind is WellKnownKind {
  return Object.hasOwn(DATA_SHAPES, kind)
}

/** Whether data has the shape of a well-known kind. */
export function hasShapeOf(kind: WellKnownKind, data: unknown): boolean {
  return findKindMismatch(kind, data) === undefined
}

/** Finds the first part of data that does not have the shape of a well-known kind. */
export function findKindMismatch(kind: WellKnownKind, data: unknown): DataMismatch | undefined {
  return findDataMismatch(DATA_SHAPES[kind], data)
}
