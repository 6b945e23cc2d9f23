import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Everything that is asked of the file. */
export interface SqliteStatements {
  /** What is kept of a conversation beside its events. */
  readonly head: StatementSync
  readonly chain: StatementSync
  readonly span: StatementSync
  readonly scan: StatementSync
  readonly list: StatementSync
  readonly remove: StatementSync
  readonly removeEvents: StatementSync
  readonly rewrite: StatementSync
}

/** Prepares every statement, once for a connection. */
export function prepareStatements(database: DatabaseSync): SqliteStatements {
  const columns = 'seq, at, bytes, original, sha256, chain, scrubbed_at, scrubbed_sha256'
  const head = 'id, seq, chain, created_at, updated_at, touched, seal'
  return {
    head: database.prepare(`SELECT ${head} FROM conversations WHERE id = ?`),
    chain: database.prepare('SELECT chain FROM events WHERE conversation = ? AND seq = ?'),
    span: database.prepare(
      `SELECT ${columns} FROM events WHERE conversation = ? AND seq >= ? AND seq <= ? ORDER BY seq`,
    ),
    scan: database.prepare(
      `SELECT ${columns} FROM events WHERE conversation = ? AND seq > ? ORDER BY seq LIMIT ?`,
    ),
    list: database.prepare(
      `SELECT ${head} FROM conversations WHERE touched < ? ORDER BY touched DESC LIMIT ?`,
    ),
    remove: database.prepare('DELETE FROM conversations WHERE id = ?'),
    removeEvents: database.prepare('DELETE FROM events WHERE conversation = ?'),
    rewrite: database.prepare(`
      UPDATE events SET bytes = ?, original = ?, scrubbed_at = ?, scrubbed_sha256 = ?
      WHERE conversation = ? AND seq = ? AND sha256 = ?`),
  }
}
