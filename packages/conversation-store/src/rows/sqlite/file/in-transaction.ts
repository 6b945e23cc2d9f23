import type { DatabaseSync, StatementSync } from 'node:sqlite'

type Kind = 'DEFERRED' | 'IMMEDIATE'
type Brackets = Readonly<Record<Kind | 'COMMIT', StatementSync>>

/** Prepared once for a connection: to read their texts anew costs a twentieth of a small transaction. */
const prepared = new WeakMap<DatabaseSync, Brackets>()

/** `IMMEDIATE` for writing: a deferred transaction that reads first cannot always become a writing one. */
export function inTransaction<Value>(database: DatabaseSync, kind: Kind, work: () => Value): Value {
  const brackets = prepared.get(database) ?? prepare(database)
  brackets[kind].run()
  try {
    const value = work()
    brackets.COMMIT.run()
    return value
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function prepare(database: DatabaseSync): Brackets {
  const brackets = {
    DEFERRED: database.prepare('BEGIN DEFERRED'),
    IMMEDIATE: database.prepare('BEGIN IMMEDIATE'),
    COMMIT: database.prepare('COMMIT'),
  }
  prepared.set(database, brackets)
  return brackets
}
