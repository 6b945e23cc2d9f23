import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from './open-database.ts'
import { LAYOUT } from './sqlite-schema.ts'
import { inTransaction, isBusy, sqliteFailure } from './transaction.ts'
import { file, useDatabaseFile } from './database-file.support.ts'

let database: DatabaseSync

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE t (x INTEGER)')
})

afterEach(() => database.close())

const insert = (x: number): unknown => database.prepare('INSERT INTO t VALUES (?)').run(x)

const kept = (): unknown[] =>
  database
    .prepare('SELECT x FROM t')
    .all()
    .map(({ x }) => x)

test('keeps what was done, and returns its value', () => {
  expect(inTransaction(database, 'IMMEDIATE', () => insert(1) && 'done')).toBe('done')
  expect([kept(), database.isTransaction]).toEqual([[1], false])
})

test('keeps nothing of work that throws, and the next transaction begins', () => {
  const fail = (): never => {
    insert(1)
    throw new Error('no')
  }
  expect(() => inTransaction(database, 'IMMEDIATE', fail)).toThrow('no')
  expect([kept(), database.isTransaction]).toEqual([[], false])
  inTransaction(database, 'DEFERRED', () => insert(2))
  expect(kept()).toEqual([2])
})

test('work that has ended the transaction itself throws its own error', () => {
  const end = (): never => {
    database.exec('ROLLBACK')
    throw new Error('no')
  }
  expect(() => inTransaction(database, 'IMMEDIATE', end)).toThrow('no')
})

useDatabaseFile()

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('busy includes an extended code of SQLite: a snapshot after which others have written', () => {
  const one = new DatabaseSync(file)
  const other = new DatabaseSync(file)
  one.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x)')
  one.exec('BEGIN DEFERRED')
  one.prepare('SELECT * FROM t').all()
  other.exec('INSERT INTO t VALUES (1)')
  const error = thrownBy(() => one.exec('INSERT INTO t VALUES (2)'))
  one.close()
  other.close()
  // SQLITE_BUSY_SNAPSHOT
  expect(error).toMatchObject({ errcode: 517 })
  expect(isBusy(error)).toBe(true)
})

test('busy is a database that another connection holds, and no other error', () => {
  const one = new DatabaseSync(file)
  const other = new DatabaseSync(file)
  one.exec('BEGIN EXCLUSIVE')
  expect(isBusy(thrownBy(() => other.exec('BEGIN EXCLUSIVE')))).toBe(true)
  expect(isBusy(thrownBy(() => one.exec('nonsense')))).toBe(false)
  one.close()
  other.close()
})

test('a damaged index is damage, even with an extended code', () => {
  // SQLITE_CORRUPT_INDEX needs a damaged file that SQLite can still read to that point.
  const cause = Object.assign(new Error('malformed'), { errcode: 779 })
  expect(sqliteFailure(file, cause, { otherwise: 'failed' })).toMatchObject({ code: 'damaged' })
})

test('a writing connection waits until the disk has what it wrote', async () => {
  const { database: opened } = await openDatabase(
    file,
    { durability: 'full', createFolders: false, layout: LAYOUT, onWait: () => undefined },
    () => undefined,
  )
  const settings = ['journal_mode', 'synchronous'].map((name) =>
    Object.values(opened.prepare(`PRAGMA ${name}`).get() ?? {}),
  )
  opened.close()
  // 2 is FULL.
  expect(settings).toEqual([['wal'], [2]])
})

test('an error of SQLite is reported with the file, the effect, and the place', () => {
  const thrown = (errcode: number): Error => Object.assign(new Error('so it is'), { errcode })
  const location = { conversation: 'a "b"', seq: 3 }
  const [readOnly, damaged, failed] = [8, 11, 1].map((code) =>
    sqliteFailure('c.db', thrown(code), { otherwise: 'failed', ...location }),
  )
  expect(readOnly).toMatchObject({
    code: 'read-only',
    message: 'The store c.db is read-only in conversation "a \\"b\\"": so it is',
    conversation: undefined,
    seq: undefined,
  })
  expect(damaged).toMatchObject({
    code: 'damaged',
    message: 'The store c.db is damaged in conversation "a \\"b\\"": so it is',
    cause: thrown(11),
    ...location,
  })
  expect(failed).toMatchObject({ code: 'failed', cause: thrown(1), conversation: undefined })
})

test('the error has no conversation if none is given, and an error of the store is unchanged', () => {
  const error = sqliteFailure('c.db', 'no room', { otherwise: 'cannot-open' })
  expect(error).toMatchObject({
    code: 'cannot-open',
    message: 'The store c.db cannot be opened: no room',
    cause: 'no room',
  })
  expect(sqliteFailure('d.db', error, { otherwise: 'failed' })).toBe(error)
})

test('a number that no event can have is damage; another error of Node.js is not', () => {
  const thrown = (code: string): Error => Object.assign(new Error('so it is'), { code })
  const getCode = (cause: unknown): string =>
    sqliteFailure('c.db', cause, { otherwise: 'failed' }).code
  expect(getCode(thrown('ERR_OUT_OF_RANGE'))).toBe('damaged')
  expect(getCode(thrown('ERR_INVALID_STATE'))).toBe('failed')
  expect(getCode({ code: 'ERR_OUT_OF_RANGE' })).toBe('failed')
})

test('a table that another connection of the process holds is busy', () => {
  // SQLITE_LOCKED_SHAREDCACHE belongs to shared caches, which Node.js cannot enable.
  expect(isBusy(Object.assign(new Error('locked'), { errcode: 262 }))).toBe(true)
  expect(isBusy(Object.assign(new Error('locked'), { errcode: 'SQLITE_BUSY' }))).toBe(false)
  expect(isBusy({ errcode: 5 })).toBe(false)
})
