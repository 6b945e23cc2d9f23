import {
  type DiffHunk,
  type DiffValue,
  type FileContentValue,
  type FileEntry,
  type FileListValue,
  type TableColumn,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  type DisplayHints,
  getOwnField,
  requireArguments,
  fenceText,
  formatByteSize,
} from '@toolblocks/protocol/internal'
import type { ToolContent } from './blocks.ts'
import { structured, type StructuredOutput } from './output.ts'
import { formatHunks, findHunk } from './line-diff.ts'

/** The optional fields of every semantic value. */
interface Hints {
  /** One line that can replace the value. Default: the host creates one. */
  readonly summary?: string
  /** How a host may show the value. */
  readonly display?: DisplayHints
}

/** The names of a row's fields. */
type KeyOf<Row> = Extract<keyof Row, string>

/** A table to be made. */
export interface TableOptions<Row extends object> extends Hints {
  /** The rows, each an object of JSON values. */
  readonly rows: readonly Row[]
  /**
   * The columns in their order: keys of the rows, or keys with a label, a type and an alignment. Default: every key of the rows, in the order in
   * which they first appear; columns of numbers and of booleans get that type.
   */
  readonly columns?: readonly (KeyOf<NoInfer<Row>> | (TableColumn & { key: KeyOf<NoInfer<Row>> }))[]
}

/** A semantic value of the kind `table`, with the type of its `rows`. */
export interface TableData<Row extends object> extends Hints {
  readonly kind: 'table'
  readonly data: { columns: TableColumn[]; rows: Row[] }
}

/** Makes a result that a host shows as a table. `modelContent` is for the model. Default: the rows as a Markdown table. */
export function table<const Row extends object>(
  options: TableOptions<Row>,
  modelContent?: ToolContent,
): StructuredOutput<TableData<{ -readonly [Key in keyof Row]: Row[Key] }>> {
  requireArguments('table(options, …)', [options, { rows: 'array' }])
  const { rows, columns, ...hints } = options
  const tableColumns = toColumns(rows, columns)
  const value = {
    kind: 'table' as const,
    data: { columns: tableColumns, rows: [...rows] },
    ...hints,
  }
  return structuredAs(value, modelContent ?? formatTable(tableColumns, rows))
}

/** A file that changed. */
export interface DiffOptions extends Hints {
  /** Relative to the workspace. */
  readonly path: string
  /** The content before. Absent: the file is new, or the content before is not known. */
  readonly original?: string
  /** The content after. */
  readonly modified: string
  /** Whether the file did not exist before. Default: true where `original` is absent. */
  readonly isNew?: boolean
  /** The runs of changed lines. Default: a host finds them. */
  readonly hunks?: DiffHunk[]
  /** Bytes that were written. Absent: unknown. */
  readonly bytesWritten?: number
}

/** Makes a result that a host shows as the change of a file. `modelContent` is for the model. Default: a unified diff. */
export function diff(
  options: DiffOptions,
  modelContent?: ToolContent,
): StructuredOutput<DiffValue> {
  requireArguments('diff(options, …)', [options, { path: 'string' }])
  const {
    path,
    original,
    modified,
    isNew = original === undefined,
    hunks,
    bytesWritten,
    ...hints
  } = options
  const data = {
    path,
    ...(original !== undefined && { original }),
    modified,
    isNew,
    ...(hunks && { hunks }),
    ...(bytesWritten !== undefined && { bytesWritten }),
  }
  return structuredAs({ kind: 'diff', data, ...hints }, modelContent ?? formatDiff(data))
}

/** The entries of a folder. */
export interface FileListOptions extends Hints {
  /** Of the folder, relative to the workspace. */
  readonly path: string
  /** Names relative to `path`, or entries with a type, a size in bytes and a time. */
  readonly entries: readonly (string | FileEntry)[]
  /** Whether there are more entries than these. Default: false. */
  readonly truncated?: boolean
}

/** Makes a result that a host shows as a list of files. `modelContent` is for the model. Default: one line for each entry. */
export function fileList(
  options: FileListOptions,
  modelContent?: ToolContent,
): StructuredOutput<FileListValue> {
  requireArguments('fileList(options, …)', [options, { path: 'string', entries: 'array' }])
  const { path, entries, truncated = false, ...hints } = options
  const listed = entries.map((entry) => (typeof entry === 'string' ? { name: entry } : entry))
  const data = { path, entries: listed, ...(truncated && { truncated }) }
  return structuredAs({ kind: 'file_list', data, ...hints }, modelContent ?? formatFileList(data))
}

/** A file that was read. */
export interface FileContentOptions extends Hints {
  /** Relative to the workspace. */
  readonly path: string
  /** The text of the file, or of the part that was read. */
  readonly content: string
  /** In bytes. Default: the size of `content` in UTF-8. */
  readonly size?: number
  /** Such as `utf-8`. */
  readonly encoding?: string
  /** Such as `text/markdown`. Default: the host takes it from the path. */
  readonly mimeType?: string
}

/** Makes a result that a host shows as the content of a file. `modelContent` is for the model. Default: the path and the content in a code block. */
export function fileContent(
  options: FileContentOptions,
  modelContent?: ToolContent,
): StructuredOutput<FileContentValue> {
  requireArguments('fileContent(options, …)', [options, { path: 'string', content: 'string' }])
  const { path, content, size = Buffer.byteLength(content), encoding, ...hints } = options
  const data = { path, content, size, ...(encoding !== undefined && { encoding }) }
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1] ?? ''
  const modelText = modelContent ?? `${path}\n\n${fenceText(content, extension)}`
  return structuredAs({ kind: 'file_content', data, ...hints }, modelText)
}

/** A result whose type is known, without the inference of literals. */
function structuredAs<Value>(value: unknown, modelContent: ToolContent): StructuredOutput<Value> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each caller makes a value of the type that it declares
  return structured(value, modelContent) as StructuredOutput<Value>
}

function toColumns(
  rows: readonly object[],
  declared: readonly (string | TableColumn)[] | undefined,
): TableColumn[] {
  const columns = declared ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return columns.map((column) => {
    const { key, ...fields } = typeof column === 'string' ? { key: column } : column
    const type = findCellType(rows, key)
    return { key, ...(type && { type }), ...fields }
  })
}

/** The type of a column whose cells are all of it. Texts need no type. */
function findCellType(rows: readonly object[], key: string): 'number' | 'boolean' | undefined {
  const cells = rows
    .map((row) => toCellText(row, key))
    .filter((cell) => cell !== undefined && cell !== null)
  if (cells.length === 0) return undefined
  if (cells.every((cell) => typeof cell === 'number')) return 'number'
  return cells.every((cell) => typeof cell === 'boolean') ? 'boolean' : undefined
}

function toCellText(row: object, key: string): unknown {
  return isJsonObject(row) ? getOwnField(row, key) : undefined
}

function formatTable(columns: readonly TableColumn[], rows: readonly object[]): string {
  if (rows.length === 0) return 'The table has no rows.'
  return [
    formatRow(columns.map(({ key, label }) => label ?? key)),
    `| ${columns.map(({ type }) => (type === 'number' ? '--:' : '---')).join(' | ')} |`,
    ...rows.map((row) => formatRow(columns.map(({ key }) => formatCell(toCellText(row, key))))),
  ].join('\n')
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |`
}

function formatCell(cell: unknown): string {
  if (cell === undefined || cell === null) return ''
  return typeof cell === 'string' ? cell : (JSON.stringify(cell) ?? '')
}

/** A cell ends neither its column nor its line. */
function escapeCell(cell: string): string {
  return cell
    .replaceAll('\\', '\\\\')
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s*[\r\n]+\s*/g, ' ')
}

function formatDiff({ path, original, modified, isNew, hunks }: DiffValue['data']): string {
  if (hunks === undefined && original === undefined && !isNew)
    return `${path} was written: ${formatByteSize(Buffer.byteLength(modified))}.`
  if (original === modified) return `${path} is unchanged.`
  const allHunks = hunks ?? [findHunk(original ?? '', modified)]
  const before = isNew ? '/dev/null' : `a/${path}`
  return `--- ${before}\n+++ b/${path}\n${formatHunks(allHunks)}`
}

function formatFileList({ path, entries, truncated }: FileListValue['data']): string {
  const lines = entries.map(({ name, type, size }) => {
    const label = type === 'directory' ? `${name}/` : type === 'symlink' ? `${name}@` : name
    return size === undefined ? label : `${label} (${formatByteSize(size)})`
  })
  const head = entries.length === 0 ? `${path} has no entries.` : `${path}:`
  return [head, ...lines, ...(truncated === true ? ['There are more entries.'] : [])].join('\n')
}
