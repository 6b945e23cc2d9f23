import type { JsonObject } from '@toolblocks/protocol'

/** The content of a host's file, or where and why it cannot be read. */
export type HostDocument = { ok: true; value: unknown } | { ok: false; message: string }

/** How an entry is written into a host's file. */
export interface WrittenEntry {
  /** The new entry, in the format of the host. Absent: the server is removed. */
  entry?: JsonObject
  /** How the entry was written in this file before. */
  source?: string
}

/** A part of a text: the positions of its first character, and of the one after it. */
export interface TextRange {
  start: number
  end: number
}

/** A string or a number of a file, a list, or fields with their names. */
export type LocatedValue =
  | (TextRange & { kind: 'text'; value: string })
  | { kind: 'list'; items: readonly LocatedValue[] }
  | { kind: 'fields'; fields: readonly (readonly [string, LocatedValue])[] }

/** The values and comments of a text. Values that are neither strings nor numbers are no part of it. */
export interface LocatedText {
  values: readonly LocatedValue[]
  comments: readonly TextRange[]
}

/** A format in which hosts store servers. The path of a server has the keys on the way to it. */
export interface HostFormat {
  /** Parses the text of a file. */
  read(text: string): HostDocument
  /** Changes one server in the text of a file, and keeps all else in it. */
  change(text: string, path: readonly string[], written: WrittenEntry): string
  /** Removes the object of servers at a path if it has no server and no comment. */
  removeEmpty(text: string, path: readonly string[]): string
  /** Finds the strings and numbers in a text that can be read, and its comments. */
  locate(text: string): LocatedText
  /** Returns how a server is written, with its comments; `undefined` if the text does not have it. */
  findSource(text: string, path: readonly string[]): string | undefined
}

/** Returns how the lines of a text end. */
export function getNewline(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}
