import type { FormBits } from './secret-forms.ts'

/** One character of a text under some levels of escapes: how it can be read at a place. */
export interface Unit {
  /** A code point, or `RAW` and a byte beyond ASCII that is a part of one. */
  code: number
  /** Further code points of the same escape: some HTML entities stand for two. */
  more?: readonly number[]
  /** Where the next character begins. */
  next: number
  forms: FormBits
}

/** Levels of escapes that are read: 0 reads bytes as they are, 2 also an escape whose characters are escaped. */
export type Level = 0 | 1 | 2

/** Added to a byte that is no code point of its own. */
export const RAW = 0x110000

/** All ways to read one character at a place, as it is written first; none at the end. */
export type ReadUnits = (bytes: Uint8Array, at: number, level: Level) => readonly Unit[]
