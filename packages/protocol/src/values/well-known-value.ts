import {
  type JsonObject,
  has,
  isArrayOf,
  isBoolean,
  isCount,
  isJsonObject,
  isOneOf,
  isString,
  mayHave,
} from '../json/json.ts'
import type { DisplayHints } from './display-hints.ts'

/** The types of an entry in a file list. */
export const ENTRY_TYPES = ['file', 'directory', 'symlink'] as const

/** What the cells of a column can be. */
export const COLUMN_TYPES = ['string', 'number', 'boolean', 'date'] as const

/** How the cells of a column stand. */
export const ALIGNMENTS = ['left', 'center', 'right'] as const

/** What all well-known values have in common. */
interface ValueFields {
  /** One line that can stand for the value. */
  summary?: string
  /** What `data` holds, for example `text/markdown` or `image/png`. */
  mimeType?: string
  display?: DisplayHints
}

/** Text; `content` is plain text or, with `mimeType`, of that type. */
export interface TextValue extends ValueFields {
  kind: 'text'
  data: { content: string }
}

/** One run of changed lines with the lines around it. */
export interface DiffHunk {
  /** First line in the original, from 1; 0 where it has no lines. */
  oldStart: number
  /** How many lines of the original it covers. */
  oldLines: number
  /** First line in the modified file, from 1; 0 where it has no lines. */
  newStart: number
  /** How many lines of the modified file it covers. */
  newLines: number
  /** Each opens with a space (kept), `-` (removed), `+` (added) or `\` (a note, as on a missing last newline). */
  lines: string[]
}

/** A change of one file. */
export interface DiffValue extends ValueFields {
  kind: 'diff'
  data: {
    path: string
    /** Absent: new, or not known. */
    original?: string
    /** The whole file after the change. */
    modified: string
    /** Whether the change has made the file. */
    isNew: boolean
    hunks?: DiffHunk[]
    /** Bytes that were written. Absent: not known. */
    bytesWritten?: number
  }
}

/** A file as it was read. */
export interface FileContentValue extends ValueFields {
  kind: 'file_content'
  data: {
    path: string
    /** The text of the file, or of the part that was read. */
    content: string
    /** Bytes. */
    size: number
    /** Of the file on disk, such as `utf-8`. Absent: not said. */
    encoding?: string
  }
}

/** One entry of a directory. */
export interface FileEntry {
  /** Relative to the `path` of the list. */
  name: string
  /** Absent: not known. */
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
    /** There are more than `entries` says. */
    truncated?: boolean
  }
}

/** One column of a table: which key of a row it shows, and how. */
export interface TableColumn {
  /** The field of each row that the column shows. */
  key: string
  /** Absent: `key`. */
  label?: string
  /** What its cells hold. */
  type?: (typeof COLUMN_TYPES)[number]
  /** Default: `right` for a column of numbers, else `left`. */
  align?: (typeof ALIGNMENTS)[number]
}

/** Rows under columns. */
export interface TableValue extends ValueFields {
  kind: 'table'
  data: { columns: TableColumn[]; rows: JsonObject[] }
}

/** A picture: at an address, as `base64`, or both. `alt`: what to say to who cannot see it. */
export interface ImageValue extends ValueFields {
  kind: 'image'
  data: { alt?: string } & ({ url: string; base64?: string } | { base64: string; url?: string })
}

/** Any JSON value, for a tree or as it stands. */
export interface StructuredValue extends ValueFields {
  kind: 'structured'
  /** Any JSON value. */
  data: unknown
}

/** A value whose `kind` tells what is in `data`: switch on `kind`. */
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

const dataShapes: Readonly<Record<WellKnownKind, (data: unknown) => boolean>> = {
  text: (data) => isJsonObject(data) && has(data, 'content', isString),
  diff: isDiff,
  file_content: isFileContent,
  file_list: isFileList,
  table: isTable,
  image: isImage,
  structured: () => true,
}

/** Says whether a kind is one that docs/protocol.md defines. */
export function isWellKnownKind(kind: string): kind is WellKnownKind {
  return Object.hasOwn(dataShapes, kind)
}

/** Says whether data has the shape that a well-known kind promises. */
export function hasShapeOf(kind: WellKnownKind, data: unknown): boolean {
  return dataShapes[kind](data)
}

function isDiff(data: unknown): boolean {
  return (
    isJsonObject(data) &&
    has(data, 'path', isString) &&
    mayHave(data, 'original', isString) &&
    has(data, 'modified', isString) &&
    has(data, 'isNew', isBoolean) &&
    mayHave(data, 'hunks', isArrayOf(isDiffHunk)) &&
    mayHave(data, 'bytesWritten', isCount)
  )
}

function isDiffHunk(hunk: unknown): hunk is DiffHunk {
  return (
    isJsonObject(hunk) &&
    has(hunk, 'oldStart', isCount) &&
    has(hunk, 'oldLines', isCount) &&
    has(hunk, 'newStart', isCount) &&
    has(hunk, 'newLines', isCount) &&
    has(hunk, 'lines', isArrayOf(isString))
  )
}

function isFileContent(data: unknown): boolean {
  return (
    isJsonObject(data) &&
    has(data, 'path', isString) &&
    has(data, 'content', isString) &&
    has(data, 'size', isCount) &&
    mayHave(data, 'encoding', isString)
  )
}

function isFileList(data: unknown): boolean {
  return (
    isJsonObject(data) &&
    has(data, 'path', isString) &&
    has(data, 'entries', isArrayOf(isFileEntry)) &&
    mayHave(data, 'truncated', isBoolean)
  )
}

function isFileEntry(entry: unknown): entry is FileEntry {
  return (
    isJsonObject(entry) &&
    has(entry, 'name', isString) &&
    mayHave(entry, 'type', isOneOf(ENTRY_TYPES)) &&
    mayHave(entry, 'size', isCount) &&
    mayHave(entry, 'modified', isString)
  )
}

function isTable(data: unknown): boolean {
  return (
    isJsonObject(data) &&
    has(data, 'columns', isArrayOf(isTableColumn)) &&
    has(data, 'rows', isArrayOf(isJsonObject))
  )
}

function isTableColumn(column: unknown): column is TableColumn {
  return (
    isJsonObject(column) &&
    has(column, 'key', isString) &&
    mayHave(column, 'label', isString) &&
    mayHave(column, 'type', isOneOf(COLUMN_TYPES)) &&
    mayHave(column, 'align', isOneOf(ALIGNMENTS))
  )
}

function isImage(data: unknown): boolean {
  return (
    isJsonObject(data) &&
    mayHave(data, 'url', isString) &&
    mayHave(data, 'base64', isString) &&
    mayHave(data, 'alt', isString) &&
    (Object.hasOwn(data, 'url') || Object.hasOwn(data, 'base64'))
  )
}
