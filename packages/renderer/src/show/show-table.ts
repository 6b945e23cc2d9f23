import { requireArguments, formatByteSize, type DisplayHints } from '@toolblocks/protocol/internal'
import type { FileEntry, TableColumn, TableValue } from '@toolblocks/protocol'
import { toJson } from './read-value.ts'
import type { ValueRendererContext } from './show-context.ts'
import { showPath } from './show-facts.ts'
import type { FieldType, ShownColumn, ShownPart } from './shown-part.ts'

const MAX_COLUMNS = 30

/** Rows that are read for the names of columns. */
const MAX_NAMING = 100

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Shows rows under columns, each cell as text. Omitted ones are counted. */
export function showColumns(
  { data: { columns, rows }, display }: TableValue,
  context: ValueRendererContext,
): readonly ShownPart[] {
  return showCells(columns, rows, display?.fieldTypes, context)
}

/** Shows rows under the names of their fields, in order. */
export function showRows(
  rows: Rows,
  fieldTypes: DisplayHints['fieldTypes'],
  context: ValueRendererContext,
): readonly ShownPart[] {
  const names = new Set(rows.slice(0, MAX_NAMING).flatMap(Object.keys))
  const columns = [...names].map((key): TableColumn => {
    const isNumber = rows.slice(0, MAX_NAMING).every((row) => isNumberOrNone(row, key))
    return { key, ...(isNumber && { type: 'number' }) }
  })
  return showCells(columns, rows, fieldTypes, context)
}

function isNumberOrNone(row: Readonly<Record<string, unknown>>, key: string): boolean {
  const value = Object.hasOwn(row, key) ? row[key] : null
  return value === null || typeof value === 'number'
}

function showCells(
  columns: readonly TableColumn[],
  rows: Rows,
  fieldTypes: DisplayHints['fieldTypes'] = {},
  { maxRows, root }: ValueRendererContext,
): readonly ShownPart[] {
  const shownColumns = columns
    .slice(0, maxRows === Infinity ? Infinity : MAX_COLUMNS)
    .map((column) => ({ ...column, type: getType(column, fieldTypes) }))
  const shownRows = rows.slice(0, maxRows)
  return [
    {
      kind: 'table',
      columns: shownColumns.map(({ key, label = key, type, align }) => ({
        label,
        align: align ?? (type === 'number' ? 'right' : 'left'),
        ...(type !== undefined && { type }),
      })),
      rows: shownRows.map((row) =>
        shownColumns.map(({ key, type }) =>
          fieldText(Object.hasOwn(row, key) ? row[key] : undefined, type, root),
        ),
      ),
      left: {
        rows: rows.length - shownRows.length,
        columns: columns.length - shownColumns.length,
      },
    },
  ]
}

function getType(
  { key, type }: TableColumn,
  fieldTypes: NonNullable<DisplayHints['fieldTypes']>,
): FieldType | undefined {
  return Object.hasOwn(fieldTypes, key) ? fieldTypes[key] : type
}

/** Returns a field as text by its type: a date to the minute, a path relative to the workspace, nested values as JSON. */
export function fieldText(
  value: unknown,
  type: FieldType | undefined,
  root: string | undefined,
): string {
  if (value === null || value === undefined) return ''
  if (type === 'date') {
    const date = dateText(value)
    if (date !== undefined) return date
  }
  if (typeof value !== 'string') return toJson(value) ?? ''
  return type === 'path' ? showPath(value, root) : value
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** An ISO 8601 date and time. The meaning of other texts depends on the reader. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** Returns a date to the minute, in UTC; `undefined` for other values. Numbers are milliseconds since 1970. */
export function dateText(value: unknown): string | undefined {
  if (typeof value === 'number') return findMinute(new Date(value))
  if (typeof value !== 'string') return undefined
  if (DAY.test(value)) return value
  return TIME.test(value) ? findMinute(new Date(value)) : undefined
}

function findMinute(date: Date): string | undefined {
  if (Number.isNaN(date.getTime())) return undefined
  return `${date
    .toISOString()
    .replace('T', ' ')
    .replace(/:\d\d\.\d+Z$/, '')} UTC`
}

/** Returns the entries of a directory as a table: their names, and sizes and times if any is known. A directory ends with `/`, a link with `@`. */
export function tabulateEntries(
  part: Pick<Extract<ShownPart, { kind: 'entries' }>, 'entries'>,
): Pick<Extract<ShownPart, { kind: 'table' }>, 'columns' | 'rows'> {
  requireArguments('tabulateEntries(part)', [part, { entries: 'array' }])
  const { entries } = part
  const hasSizes = entries.some(({ size }) => size !== undefined)
  const hasTimes = entries.some(({ modified }) => modified !== undefined)
  const columns: readonly ShownColumn[] = [
    { label: 'name', align: 'left', type: 'path' },
    ...(hasSizes ? [{ label: 'size', align: 'right', type: 'number' } as const] : []),
    ...(hasTimes ? [{ label: 'modified', align: 'left', type: 'date' } as const] : []),
  ]
  const rows = entries.map(({ name, type, size, modified = '' }) => [
    `${name}${SIGNS[type ?? 'file']}`,
    ...(hasSizes ? [size === undefined ? '' : formatByteSize(size)] : []),
    ...(hasTimes ? [dateText(modified) ?? modified] : []),
  ])
  return { columns, rows }
}

const SIGNS: Readonly<Record<NonNullable<FileEntry['type']>, string>> = {
  file: '',
  directory: '/',
  symlink: '@',
}
