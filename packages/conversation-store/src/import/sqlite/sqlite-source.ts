import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SqlRow } from '../../rows/sql-row.ts'

/** A database that is only read. */
export interface SqliteSource {
  /** Its columns, by the names of its tables. */
  tables: ReadonlyMap<string, readonly string[]>
  all(sql: string, ...values: readonly (string | number)[]): readonly SqlRow[]
}

/** Says whether a file begins as those of SQLite do. */
export function isSqlite(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 16)).toString('latin1') === 'SQLite format 3\0'
}

/**
 * Uses a file of SQLite without a change to it or its folder: SQLite makes files beside a database with a write-ahead log, so of such a
 * one a copy is read.
 */
export function readSqlite<Value>(path: string, use: (source: SqliteSource) => Value): Value {
  const log = `${path}-wal`
  if (!existsSync(log) || statSync(log).size === 0) return useFile(path, use)
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

function useFile<Value>(path: string, use: (source: SqliteSource) => Value): Value {
  const url = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  // Loaded only where it is used: on Node 22 it warns of being new.
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
  const database = new Database(url, { readOnly: true })
  try {
    return use({
      tables: tablesOf(database),
      all: (sql, ...values) => database.prepare(sql).all(...values),
    })
  } finally {
    database.close()
  }
}

function tablesOf(database: DatabaseSync): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, string[]>()
  const rows = database
    .prepare(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
    )
    .all()
  for (const row of rows) {
    const table = String(row['table'])
    const columns = tables.get(table)
    if (columns) columns.push(String(row['column']))
    else tables.set(table, [String(row['column'])])
  }
  return tables
}

/** Whether a table has all of some columns. */
export function hasColumns(
  { tables }: SqliteSource,
  table: string,
  columns: readonly string[],
): boolean {
  const own = tables.get(table)
  return own !== undefined && columns.every((column) => own.includes(column))
}
