import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { EventRow } from '../event-row.ts'
import { keyOf } from './layout/event-key.ts'

/** Rows that one statement can write: many at once cost two thirds of one by one. */
const SIZES = [100, 10, 1] as const

/** Writes the rows of an append, in the caller's transaction. */
export type InsertEvents = (place: KeyedConversation, rows: readonly EventRow[]) => void

/** A conversation, and the number that its keys begin with. */
export interface KeyedConversation {
  id: string
  number: number
}

/** Prepares the insertions of one connection, each when it is first needed. */
export function prepareInsert(database: DatabaseSync): InsertEvents {
  const statements = new Map<number, StatementSync>()

  function statementOf(size: number): StatementSync {
    const known = statements.get(size)
    if (known) return known
    const values = Array.from({ length: size }, () => '(?, ?, ?, ?, ?, ?, ?)').join()
    const statement = database.prepare(
      `INSERT INTO events (key, conversation, seq, at, bytes, original, chain) VALUES ${values}`,
    )
    statements.set(size, statement)
    return statement
  }

  const insertOne = statementOf(1)

  return ({ id, number }, rows) => {
    const [only] = rows
    if (only && rows.length === 1) {
      const { seq, at, bytes, original = null, chain } = only
      insertOne.run(keyOf(number, seq), id, seq, at, bytes, original, chain)
      return
    }
    let from = 0
    for (const size of SIZES) {
      for (; rows.length - from >= size; from += size) {
        const values: SQLInputValue[] = []
        for (const { seq, at, bytes, original, chain } of rows.slice(from, from + size))
          values.push(keyOf(number, seq), id, seq, at, bytes, original ?? null, chain)
        statementOf(size).run(...values)
      }
    }
  }
}
