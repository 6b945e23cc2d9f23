import type { JsonValue } from '@toolblocks/protocol'
import type { SourceDocument } from '../records/split-document.ts'

/** A file that may hold conversations, and what lies around it. */
export interface Source {
  path: string
  /** Its first bytes, 16 where it has as many. */
  head: Uint8Array
  /** All of them; a file is read when they are asked for. */
  readonly bytes: Uint8Array
  /** When it was last written: ISO 8601. */
  modifiedAt: string
  /** A file in the same folder; `undefined` where there is none. */
  beside(name: string): Uint8Array | undefined
  /** The names of what lies in a folder that is named from the file's own, sorted; empty where there is none. */
  inside(name: string): readonly string[]
  /** The bytes with a SHA-256 that were stored apart from the file; `undefined` where they are not there, or are others. */
  blob(sha256: string): Uint8Array | undefined
}

/** A source whose records are split, and whose bytes nobody reads again. */
export interface SplitSource extends Omit<Source, 'head' | 'bytes'> {
  document: SourceDocument
}

/** What lies beside a source and only adds to it: nothing where it cannot be read. */
export function readExtra(
  { beside }: Pick<Source, 'beside'>,
  name: string,
): Uint8Array | undefined {
  try {
    return beside(name)
  } catch {
    return undefined
  }
}

/** Part of what `JSON.parse` made is JSON. */
export function asJson(part: unknown): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers pass parts of parsed JSON
  return part as JsonValue
}
