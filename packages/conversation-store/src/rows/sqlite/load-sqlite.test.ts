import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { loadSqlite } from './load-sqlite.ts'

const LOADED_BY_A_PROGRAM = `
  const { loadSqlite } = await import(${JSON.stringify(new URL('load-sqlite.ts', import.meta.url))})
  process.getBuiltinModule = (name) => (process.emitWarning(name + ' is new', 'ExperimentalWarning'), {})
  loadSqlite()
  process.emitWarning('the disk is nearly full')
`

test('loading SQLite prints no warning of it, and every other warning as before', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    LOADED_BY_A_PROGRAM,
  ])
  expect(stderr).not.toContain('is new')
  expect(stderr).toContain('the disk is nearly full')
})

test('the loaded module opens databases', () => {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(':memory:')
  expect(database.prepare('SELECT 1 + 1 AS sum').get()).toEqual({ sum: 2 })
  database.close()
})
