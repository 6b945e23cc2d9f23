import type { DisplayHints } from '@toolblocks/protocol/internal'
import type { FileEntry, TableColumn } from '@toolblocks/protocol'
import type { CodeToken, MarkdownBlock } from './content-readers.ts'
import type { TruncatedText } from './truncate-text.ts'

/** The unit of a count of omitted things. */
export type OmittedUnit = 'line' | 'row' | 'column' | 'entry' | 'cause' | 'warning'

/** The type of a field, from a column or a hint. */
export type FieldType = NonNullable<DisplayHints['fieldTypes']>[string]

/** One line of a diff, without its sign. */
export interface ShownChange {
  /** `hunk`: the position of the next lines. `note`: a remark, for example about a missing last newline or a truncated line. */
  change: 'added' | 'removed' | 'kept' | 'hunk' | 'note'
  text: string
  /** Number of the line in the original; absent for an added line. */
  before?: number
  /** Number of the line in the modified file; absent for a removed line. */
  after?: number
  /** The words that differ from the paired line: start and end in `text`. */
  marks?: readonly (readonly [number, number])[]
}

/** A shown column of a table. */
export interface ShownColumn {
  label: string
  /** The alignment of the column's cells. */
  align: NonNullable<TableColumn['align']>
  /** Absent: unknown. */
  type?: FieldType
}

/** A value in a tree. */
export interface ShownNode {
  /** Name of the field, or index in the array; absent for the value at the top. */
  key?: string
  /** The JSON type; `other`: not a JSON value. */
  type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'other'
  /** A scalar as text, a string without quotes; for others the number of children. */
  text: string
  /** The type of the field, from a hint. */
  fieldType?: FieldType
  nodes: readonly ShownNode[]
  /** The number of omitted children. */
  left: number
}

/**
 * One part of what a person sees: plain JSON, chosen and truncated, but without layout and not sanitized. Every text in it may come from a tool;
 * the code that renders it for a terminal or a page encodes it.
 */
export type ShownPart =
  /** A heading for the following parts. */
  | { kind: 'heading'; text: string }
  /** A name with `facts`; none of the texts is empty. */
  | { kind: 'facts'; name: string; facts: readonly string[] }
  /** Content that was not read, at an unchecked URI, with known `facts`. */
  | { kind: 'link'; name: string; uri: string; facts: readonly string[] }
  /** Text of a tool, which may have its own colours. */
  | ({ kind: 'text' } & TruncatedText)
  /**
   * The content of a file or resource. `language`: the highlighter's name for it. `tokens`: the same text in tokens, if the highlighter knows the
   * language.
   */
  | ({ kind: 'code'; mimeType?: string; language?: string; tokens?: ShownTokens } & TruncatedText)
  /** Parsed Markdown, and the number of its omitted lines (`left`). */
  | { kind: 'markdown'; blocks: readonly MarkdownBlock[]; left: number }
  /** A file or resource without content. */
  | { kind: 'empty' }
  /** Lines of a diff: the `first`, the number of omitted lines (`left`), and the `last`. */
  | { kind: 'diff'; first: readonly ShownChange[]; left: number; last: readonly ShownChange[] }
  /** `rows` of cells, one for each column; `left`: the numbers of omitted `rows` and `columns`. */
  | {
      kind: 'table'
      columns: readonly ShownColumn[]
      rows: readonly (readonly string[])[]
      left: { rows: number; columns: number }
    }
  /** A nested value. */
  | { kind: 'tree'; top: ShownNode }
  /** Entries of a directory, and the number of omitted ones (`left`). */
  | { kind: 'entries'; entries: readonly FileEntry[]; left: number }
  /** Bytes for a person to see, hear or save, by `media`: as `base64`, or at an unchecked URI that was not read. `facts`: known facts. */
  | {
      kind: 'media'
      media: 'image' | 'audio' | 'file'
      name: string
      /** The tool's text for a person who cannot see a picture. */
      alt?: string
      facts: readonly string[]
      mimeType?: string
      base64?: string
      uri?: string
    }
  /** A question of a tool. A person decides about it, so nothing in it is hidden. `isLine`: it was one line. */
  | ({ kind: 'question'; id: string; isLine: boolean; url?: string } & TruncatedText)
  /** An argument of a call, for a decision. */
  | { kind: 'argument'; name: string; text: string }
  /** A note of the renderer, for example that something is hidden. */
  | { kind: 'notice'; text: string }
  /** That a call failed, and whether a retry may help (`transient`). */
  | { kind: 'failure'; text: string; transient: boolean }
  /** A cause of a failure. */
  | ({ kind: 'cause' } & TruncatedText)
  /** A part that was skipped, repaired or failed: its place (`path`, may be empty), the message, and `facts` that the message does not contain. */
  | { kind: 'warning'; path: string; message: string; facts: readonly string[] }
  /** Output on standard error: the number of `lines`, and the text if it is to be shown. */
  | { kind: 'stderr'; lines: number; text?: TruncatedText }
  /** The number (`count`) of omitted units. */
  | { kind: 'left'; count: number; unit: OmittedUnit }
  /** Parts that belong together, below each other. `maxHeight`: lines after which a page scrolls. */
  | { kind: 'group'; parts: readonly ShownPart[]; maxHeight?: number }
  /** Parts that a tool asks to fold, behind a line with their `summary`. */
  | { kind: 'fold'; summary: string; parts: readonly ShownPart[] }

/** The tokens of the first and of the last lines of code. */
interface ShownTokens {
  first: readonly CodeToken[]
  last: readonly CodeToken[]
}

/** A part of one kind. */
export type PartKind<Kind extends ShownPart['kind']> = Extract<ShownPart, { kind: Kind }>
