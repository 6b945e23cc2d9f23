import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Everything that is asked of the file. */
export interface SqliteStatements {
  /** What is kept of a conversation beside its events. */
  readonly head: StatementSync
  /** Its number, which the head has, too. */
  readonly number: StatementSync
  readonly chain: StatementSync
  readonly span: StatementSync
  readonly scan: StatementSync
  readonly list: StatementSync
  readonly remove: StatementSync
  readonly removeNumber: StatementSync
  readonly removeEvents: StatementSync
  readonly rewrite: StatementSync
}

/** Prepares every statement, once for a connection. */
export function prepareStatements(database: DatabaseSync): SqliteStatements {
  const columns = 'seq, at, bytes, original, sha256, chain, scrubbed_at, scrubbed_sha256'
  const head = 'number, id, seq, chain, created_at, updated_at, touched, seal'
  return {
    head: database.prepare(`SELECT ${head} FROM conversations WHERE id = ?`),
    number: database.prepare('SELECT number FROM conversation_numbers WHERE conversation = ?'),
    chain: database.prepare('SELECT chain FROM events WHERE key = ?'),
    span: database.prepare(
      `SELECT ${columns} FROM events WHERE key >= ? AND key <= ? ORDER BY key`,
    ),
    scan: database.prepare(
      `SELECT ${columns} FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?`,
    ),
    list: database.prepare(
      `SELECT ${head} FROM conversations WHERE touched < ? ORDER BY touched DESC LIMIT ?`,
    ),
    // Also where its id was lost: then its number leads to it, which is nobody else's.
    remove: database.prepare(`
      DELETE FROM conversations WHERE id = ?1 OR number = ?2 AND NOT EXISTS (
        SELECT 1 FROM conversation_numbers AS other
        WHERE other.conversation = conversations.id AND other.number = conversations.number)`),
    removeNumber: database.prepare('DELETE FROM conversation_numbers WHERE conversation = ?'),
    removeEvents: database.prepare(
      'DELETE FROM events WHERE key > ? AND key < ? AND conversation = ?',
    ),
    rewrite: database.prepare(`
      UPDATE events SET bytes = ?, original = ?, scrubbed_at = ?, scrubbed_sha256 = ?
      WHERE key = ? AND conversation = ? AND chain = ?`),
  }
}
