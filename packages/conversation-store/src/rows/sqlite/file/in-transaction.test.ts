import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction } from './in-transaction.ts'

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

test('what was done is kept, and its value given', () => {
  expect(inTransaction(database, 'IMMEDIATE', () => insert(1) && 'done')).toBe('done')
  expect([kept(), database.isTransaction]).toEqual([[1], false])
})

test('of work that throws nothing is kept, and the next transaction begins', () => {
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
