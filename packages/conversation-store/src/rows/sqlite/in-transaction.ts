import type { DatabaseSync } from 'node:sqlite'

/** `IMMEDIATE` for writing: a deferred transaction that reads first cannot always become a writing one. */
export function inTransaction<Value>(
  database: DatabaseSync,
  kind: 'DEFERRED' | 'IMMEDIATE',
  work: () => Value,
): Value {
  database.exec(`BEGIN ${kind}`)
  try {
    const value = work()
    database.exec('COMMIT')
    return value
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
