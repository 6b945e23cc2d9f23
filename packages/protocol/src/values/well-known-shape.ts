import {
  has,
  isArrayOf,
  isBoolean,
  isCount,
  isJsonObject,
  isOneOf,
  isString,
  mayHave,
} from '../json/fields.ts'
import {
  ALIGNMENTS,
  COLUMN_TYPES,
  type DiffHunk,
  ENTRY_TYPES,
  type FileEntry,
  type TableColumn,
  type WellKnownKind,
} from './well-known-value.ts'

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
    mayHave(data, 'hunks', (hunks) => isArrayOf(hunks, isDiffHunk)) &&
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
    has(hunk, 'lines', (lines) => isArrayOf(lines, isString))
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
    has(data, 'entries', (entries) => isArrayOf(entries, isFileEntry)) &&
    mayHave(data, 'truncated', isBoolean)
  )
}

function isFileEntry(entry: unknown): entry is FileEntry {
  return (
    isJsonObject(entry) &&
    has(entry, 'name', isString) &&
    mayHave(entry, 'type', (type) => isOneOf(ENTRY_TYPES, type)) &&
    mayHave(entry, 'size', isCount) &&
    mayHave(entry, 'modified', isString)
  )
}

function isTable(data: unknown): boolean {
  return (
    isJsonObject(data) &&
    has(data, 'columns', (columns) => isArrayOf(columns, isTableColumn)) &&
    has(data, 'rows', (rows) => isArrayOf(rows, isJsonObject))
  )
}

function isTableColumn(column: unknown): column is TableColumn {
  return (
    isJsonObject(column) &&
    has(column, 'key', isString) &&
    mayHave(column, 'label', isString) &&
    mayHave(column, 'type', (type) => isOneOf(COLUMN_TYPES, type)) &&
    mayHave(column, 'align', (align) => isOneOf(ALIGNMENTS, align))
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
