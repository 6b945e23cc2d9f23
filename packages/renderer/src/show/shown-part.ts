import type { FileEntry, TableColumn } from '@toolblocks/protocol'
import type { CutText } from './cut-text.ts'

/** What a count of things that are left out counts. */
export type LeftUnit = 'line' | 'row' | 'column' | 'entry' | 'cause' | 'warning'

/** One line of a diff, without the sign before it. */
export interface ShownChange {
  /** `hunk`: where the next lines stand. `note`: a remark, as on a missing last newline or a cut line. */
  change: 'added' | 'removed' | 'kept' | 'hunk' | 'note'
  text: string
}

/** A column of a table that is shown. */
export interface ShownColumn {
  label: string
  align: NonNullable<TableColumn['align']>
}

/**
 * One part of what a person is shown: plain JSON, chosen and cut, but neither laid out nor sanitized. Every text in it may be a
 * tool's: whoever writes it for a terminal or a page encodes it there.
 */
export type ShownPart =
  /** One line over what follows. */
  | { kind: 'heading'; text: string }
  /** What something is called, and what else is known of it; facts are never empty. */
  | { kind: 'facts'; name: string; facts: readonly string[] }
  /** Something that was not read, at a uri that nobody vetted. */
  | { kind: 'link'; name: string; uri: string; facts: readonly string[] }
  /** Words of a tool, which may have colours of their own. */
  | ({ kind: 'text' } & CutText)
  /** The content of a file or resource. */
  | ({ kind: 'code'; mimeType?: string } & CutText)
  /** A file or resource without content. */
  | { kind: 'empty' }
  /** Lines of a diff, the number of lines left out after them, and the last lines. */
  | { kind: 'diff'; first: readonly ShownChange[]; left: number; last: readonly ShownChange[] }
  /** Rows of cells, as many in each as there are columns. */
  | {
      kind: 'table'
      columns: readonly ShownColumn[]
      rows: readonly (readonly string[])[]
      left: { rows: number; columns: number }
    }
  /** Entries of a directory. */
  | { kind: 'entries'; entries: readonly FileEntry[]; left: number }
  /** What a tool asks; a person decides on it, so that nothing in it may hide. `isLine`: it was said in one line. */
  | ({ kind: 'question'; id: string; isLine: boolean; url?: string } & CutText)
  /** An argument of a call that a person decides on. */
  | { kind: 'argument'; name: string; text: string }
  /** Words of the renderer, such as that something is hidden. */
  | { kind: 'notice'; text: string }
  /** That a call failed, and whether another try may help. */
  | { kind: 'failure'; text: string; transient: boolean }
  /** A cause of a failure. */
  | ({ kind: 'cause' } & CutText)
  /** What was skipped, repaired or went wrong: where (may be empty), what, and what the message does not say. */
  | { kind: 'warning'; path: string; message: string; facts: readonly string[] }
  /** What was printed on standard error: how many lines, and the text where it is to be shown. */
  | { kind: 'stderr'; lines: number; text?: CutText }
  /** How many of something are left out. */
  | { kind: 'left'; count: number; unit: LeftUnit }
  /** Parts that belong together, one below the other. */
  | { kind: 'group'; parts: readonly ShownPart[] }
