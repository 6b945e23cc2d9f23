import type { DisplayHints, FileEntry, TableColumn } from '@toolblocks/protocol'
import type { CodeToken, MarkdownBlock } from './content-readers.ts'
import type { TruncatedText } from './truncate-text.ts'

/** What a count of things that are left out counts. */
export type OmittedUnit = 'line' | 'row' | 'column' | 'entry' | 'cause' | 'warning'

/** What a field holds, as a column or a hint says. */
export type FieldType = NonNullable<DisplayHints['fieldTypes']>[string]

/** One line of a diff, without the sign before it. */
export interface ShownChange {
  /** `hunk`: where the next lines stand. `note`: a remark, as on a missing last newline or a cut line. */
  change: 'added' | 'removed' | 'kept' | 'hunk' | 'note'
  text: string
  /** Number of the line in the original; absent where it was added. */
  before?: number
  /** Number of the line in the modified file; absent where it was removed. */
  after?: number
  /** The words that differ from the line that this one replaced or was replaced by: start and end in `text`. */
  marks?: readonly (readonly [number, number])[]
}

/** A column of a table that is shown. */
export interface ShownColumn {
  label: string
  /** Where the cells of the column stand. */
  align: NonNullable<TableColumn['align']>
  /** Absent: nothing is said of it. */
  type?: FieldType
}

/** A value in a tree. */
export interface ShownNode {
  /** Name of the field, or place in the array; none for the value at the top. */
  key?: string
  /** What JSON calls it; `other`: no JSON value. */
  type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'other'
  /** A plain value as text, a string without quotes; of others how much is in them. */
  text: string
  /** What a hint says it holds. */
  fieldType?: FieldType
  nodes: readonly ShownNode[]
  /** How many of what is in it are left out. */
  left: number
}

/**
 * One part of what a person is shown: plain JSON, chosen and cut, but neither laid out nor sanitized. Every text in it may be a
 * tool's: whoever writes it for a terminal or a page encodes it there.
 */
export type ShownPart =
  /** One line over what follows. */
  | { kind: 'heading'; text: string }
  /** What something is called, and `facts`: what else is known of it, no text of them empty. */
  | { kind: 'facts'; name: string; facts: readonly string[] }
  /** Something that was not read, at a uri that nobody vetted, and `facts` that are known of it. */
  | { kind: 'link'; name: string; uri: string; facts: readonly string[] }
  /** Words of a tool, which may have colours of their own. */
  | ({ kind: 'text' } & TruncatedText)
  /** The content of a file or resource. `language`: as highlighters name it. `tokens`: the same texts in pieces, where a highlighter knew the language. */
  | ({ kind: 'code'; mimeType?: string; language?: string; tokens?: ShownTokens } & TruncatedText)
  /** Markdown as a reader took it apart, and how many lines of it are `left` out. */
  | { kind: 'markdown'; blocks: readonly MarkdownBlock[]; left: number }
  /** A file or resource without content. */
  | { kind: 'empty' }
  /** Lines of a diff: the `first`, the number of lines `left` out after them, and the `last`. */
  | { kind: 'diff'; first: readonly ShownChange[]; left: number; last: readonly ShownChange[] }
  /** `rows` of cells, as many in each as there are columns; `left`: how many `rows` and `columns` are left out. */
  | {
      kind: 'table'
      columns: readonly ShownColumn[]
      rows: readonly (readonly string[])[]
      left: { rows: number; columns: number }
    }
  /** A nested value. */
  | { kind: 'tree'; top: ShownNode }
  /** Entries of a directory, and how many of them are `left` out. */
  | { kind: 'entries'; entries: readonly FileEntry[]; left: number }
  /**
   * Bytes for a person to look at, hear or keep, which of them by `media`: as `base64`, or at a uri that nobody vetted and nobody read. `facts`: what is
   * known of them.
   */
  | {
      kind: 'media'
      media: 'image' | 'audio' | 'file'
      name: string
      /** What the tool says for who cannot see a picture. */
      alt?: string
      facts: readonly string[]
      mimeType?: string
      base64?: string
      uri?: string
    }
  /** What a tool asks; a person decides on it, so that nothing in it may hide. `isLine`: it was said in one line. */
  | ({ kind: 'question'; id: string; isLine: boolean; url?: string } & TruncatedText)
  /** An argument of a call that a person decides on. */
  | { kind: 'argument'; name: string; text: string }
  /** Words of the renderer, such as that something is hidden. */
  | { kind: 'notice'; text: string }
  /** That a call failed, and whether another try may help (`transient`). */
  | { kind: 'failure'; text: string; transient: boolean }
  /** A cause of a failure. */
  | ({ kind: 'cause' } & TruncatedText)
  /** What was skipped, repaired or went wrong: where (`path`, may be empty), what, and `facts` that the message does not say. */
  | { kind: 'warning'; path: string; message: string; facts: readonly string[] }
  /** What was printed on standard error: how many `lines`, and the text where it is to be shown. */
  | { kind: 'stderr'; lines: number; text?: TruncatedText }
  /** How many (`count`) of something are left out. */
  | { kind: 'left'; count: number; unit: OmittedUnit }
  /** Parts that belong together, one below the other. `maxHeight`: lines after which a page scrolls. */
  | { kind: 'group'; parts: readonly ShownPart[]; maxHeight?: number }
  /** Parts that a tool asks to fold at first, behind one line, the `summary`, that stands for them. */
  | { kind: 'fold'; summary: string; parts: readonly ShownPart[] }

/** The pieces of the first and of the last lines of a code. */
export interface ShownTokens {
  first: readonly CodeToken[]
  last: readonly CodeToken[]
}
