import { loadSqlite } from '@toolblocks/conversation-store/internal/load-sqlite'
import type { SqlRow } from '@toolblocks/conversation-store/internal'
import {
  requireArguments,
  MAX_IMPORT_FILE_BYTES,
  MAX_IMPORT_RECORD_BYTES,
  MAX_IMPORT_ROWS,
} from '@toolblocks/protocol/internal'
import { copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type JsonObject } from '@toolblocks/protocol'

/** A database that is only read. */
export interface SqliteSource {
  /** The columns of its tables, by the names of the tables. */
  tables: ReadonlyMap<string, TableColumns>
  /** Returns the rows of a table, each with the requested columns. Throws if the table lacks one of them, or has a computed column. */
  all(select: Select): readonly SqlRow[]
}

interface TableColumns {
  /** Columns whose values are stored in the rows of the file. */
  held: readonly string[]
  /** A column whose values SQLite would compute by an expression in the file, if there is one. */
  computed?: string
}

/** The selection of rows of one table. */
interface Select {
  table: string
  columns: readonly string[]
  /** Columns, and the values that they must be equal to. */
  where?: Readonly<Record<string, string | number>>
  /** A column, and its first and last selected value. */
  between?: readonly [column: string, first: number, last: number]
  /** Columns to sort by. `rowid` is the order in which rows were written. */
  order?: readonly string[]
  /** Returns each distinct row once, in order. With `span`, also returns the least and the largest value of that column, as `first` and `last`. */
  once?: { span?: string }
}

/** Whether a file begins as an SQLite file does. */
export function isSqlite(head: Uint8Array): boolean {
  requireArguments('isSqlite(head)', [head, 'bytes'])
  return Buffer.from(head.subarray(0, 16)).toString('latin1') === 'SQLite format 3\0'
}

/**
 * Opens an SQLite file for a function, without changing the file or its folder. SQLite creates files beside a database with a write-ahead log, so a
 * copy of such a database is read. A malicious file can still keep SQLite busy for ever or end the process, so a host reads it in a process of its
 * own.
 */
export function readSqlite<Value>(path: string, use: (source: SqliteSource) => Value): Value {
  const log = `${path}-wal`
  const hasLog = existsSync(log)
  if (hasLog && lstatSync(log).isSymbolicLink())
    throw new Error(`expected a file, got a link: ${basename(log)}`)
  for (const file of hasLog ? [path, log] : [path]) checkFile(file)
  if (!hasLog || statSync(log).size === 0) return useFile(path, use)
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-import-'))
  try {
    const copy = join(folder, basename(path))
    copyFileSync(path, copy)
    copyFileSync(log, `${copy}-wal`)
    return useFile(copy, use)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function checkFile(path: string): void {
  const stats = statSync(path)
  if (!stats.isFile()) throw new Error(`expected a regular file: ${basename(path)}`)
  const [limit, got] = [MAX_IMPORT_FILE_BYTES, stats.size].map((bytes) =>
    bytes.toLocaleString('en'),
  )
  if (stats.size > MAX_IMPORT_FILE_BYTES)
    throw new Error(
      `expected a database of at most ${limit} bytes, got ${got} in ${basename(path)}`,
    )
}

function useFile<Value>(path: string, use: (source: SqliteSource) => Value): Value {
  const url = pathToFileURL(path)
  const log = `${path}-wal`
  const hasLog = existsSync(log)
  if (!hasLog) url.searchParams.set('immutable', '1')
  const { DatabaseSync: Database } = loadSqlite()
  const database = new Database(url, { readOnly: true, enableDoubleQuotedStringLiterals: false })
  try {
    // Functions in the schema of an untrusted file cannot do harm, and every page is checked before it is used.
    database.exec(
      'PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON',
    )
    const bytes = statSync(path).size + (hasLog ? statSync(log).size : 0)
    const tables = readTables(database)
    return use({ tables, all: (select) => readRows(database, { tables, bytes }, select) })
  } finally {
    database.close()
  }
}

/** Returns the tables whose rows are stored in the file: no views, no virtual tables. */
function readTables(database: DatabaseSync): SqliteSource['tables'] {
  const rows = database
    .prepare(
      `SELECT t.name AS "table", c.name AS "column", c.hidden AS hidden
       FROM pragma_table_list t, pragma_table_xinfo(t.name, 'main') c
       WHERE t.schema = 'main' AND t.type = 'table' LIMIT ${MAX_COLUMNS}`,
    )
    .all()
  const tables = new Map<string, { held: string[]; computed?: string }>()
  for (const row of rows) {
    const [table, column] = [String(row['table']), String(row['column'])]
    const columns = tables.get(table) ?? { held: [] }
    tables.set(table, columns)
    if (row['hidden'] === 0) columns.held.push(column)
    else columns.computed = column
  }
  return tables
}

/** Maximum number of columns of all tables together. */
const MAX_COLUMNS = 10_000
/** How many times larger than the file its values may be. Numbers are counted by their text. */
const NUMBERS = 4

function readRows(
  database: DatabaseSync,
  { tables, bytes }: { tables: SqliteSource['tables']; bytes: number },
  { table, columns, where = {}, between, order = [], once }: Select,
): readonly SqlRow[] {
  const named = [...columns, ...Object.keys(where), ...order]
  const spans = [between?.[0], once?.span].filter((column) => column !== undefined)
  checkColumns(
    tables,
    table,
    [...named, ...spans].filter((column) => column !== 'rowid'),
  )
  const conditions = [
    ...Object.keys(where).map((column) => `${quote(column)} = ?`),
    ...(between ? [`${quote(between[0])} BETWEEN ? AND ?`] : []),
  ]
  const [, first, last] = between ?? []
  const bounds = first === undefined || last === undefined ? [] : [first, last]
  const values = [...Object.values(where), ...bounds]
  const from = `FROM main.${quote(table)} ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}`
  const sizes = columns.map((column) => `coalesce(octet_length(${quote(column)}), 0)`)
  const [size] = database
    .prepare(
      `SELECT count(*) AS rows, max(max(0, ${sizes.join(', ')})) AS longest, total(${sizes.join(' + ')}) AS bytes ${from}`,
    )
    .all(...values)
  const readSize = (name: string): number => Number(size?.[name] ?? 0)
  check('rows', readSize('rows'), MAX_IMPORT_ROWS)
  check('bytes in one value', readSize('longest'), MAX_IMPORT_RECORD_BYTES)
  // Rows that refer to the same pages can multiply the number of bytes without limit.
  if (!once) check('bytes in its rows', readSize('bytes'), bytes * NUMBERS)
  const list = columns.map(quote).join(', ')
  if (!once) {
    const by = order.length > 0 ? `ORDER BY ${order.map(quote).join(', ')}` : ''
    return database.prepare(`SELECT ${list} ${from} ${by}`).all(...values)
  }
  const span = once.span === undefined ? '' : quote(once.span)
  const ends = span === '' ? '' : `, min(${span}) AS first, max(${span}) AS last`
  return database
    .prepare(`SELECT ${list}${ends} ${from} GROUP BY ${list} ORDER BY ${list}`)
    .all(...values)
}

function check(what: string, got: number, most: number): void {
  const [limit, count] = [most, got].map((number) => number.toLocaleString('en'))
  if (got > most)
    throw new Error(`expected at most ${limit} ${what} for a database of this size, got ${count}`)
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Throws if a table computes a column, because the result of a computed column has no size limit. */
function checkColumns(
  tables: SqliteSource['tables'],
  table: string,
  columns: readonly string[],
): void {
  const own = tables.get(table)
  if (own?.computed !== undefined)
    throw new Error(
      `the table "${table}" computes the column "${own.computed}"; expected only stored columns`,
    )
  const missing = columns.find((column) => !own?.held.includes(column))
  if (missing !== undefined) throw new Error(`the table "${table}" has no column "${missing}"`)
}

/** Whether a table has all of some columns. Throws if it has them and also computes a column. */
export function hasColumns(
  { tables }: SqliteSource,
  table: string,
  columns: readonly string[],
): boolean {
  const own = tables.get(table)
  const all = own ? [...own.held, ...(own.computed === undefined ? [] : [own.computed])] : []
  if (!columns.every((column) => all.includes(column))) return false
  checkColumns(tables, table, columns)
  return true
}

/** Converts a row to JSON; bytes become base64. */
export function withoutBytes(row: SqlRow): JsonObject {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  ])
  return Object.fromEntries(fields)
}
