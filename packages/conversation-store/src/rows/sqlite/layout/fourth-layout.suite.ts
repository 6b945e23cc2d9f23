import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** The tables of layout 4 that were others after it, as its version made them. */
const CREATE_TABLES = `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    chain BLOB NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    touched INTEGER NOT NULL,
    seal BLOB NOT NULL
  ) STRICT;
  CREATE INDEX conversations_by_touched ON conversations (touched DESC);
  CREATE TABLE events (
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    bytes BLOB NOT NULL,
    original BLOB,
    sha256 BLOB NOT NULL,
    chain BLOB NOT NULL,
    scrubbed_at TEXT,
    scrubbed_sha256 BLOB,
    PRIMARY KEY (conversation, seq)
  ) STRICT;
`
const HEAD = 'id, seq, chain, created_at, updated_at, touched, seal'

/** Makes a file of this version one of layout 4, of the same conversations; none of their events may have been scrubbed. */
export function toFourthLayout(file: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec(`
    BEGIN;
    DROP INDEX conversations_by_touched;
    ALTER TABLE conversations RENAME TO new_conversations;
    ALTER TABLE events RENAME TO new_events;
    ${CREATE_TABLES}
    INSERT INTO conversations (${HEAD}) SELECT ${HEAD} FROM new_conversations`)
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, NULL, ?, ?, NULL, NULL)')
  const end = database.prepare('UPDATE conversations SET chain = ?, seal = ? WHERE id = ?')
  for (const head of database.prepare(`SELECT ${HEAD} FROM conversations`).all()) {
    const { id, seq: last, created_at: createdAt, updated_at: updatedAt } = head
    const rows = database.prepare('SELECT * FROM new_events WHERE conversation = ? ORDER BY seq')
    let chain: Uint8Array = new Uint8Array()
    for (const { seq, at, bytes } of rows.all(String(id))) {
      const sha256 = hashOf(`${JSON.stringify([id, seq, at])}\n`, bytes)
      chain = hashOf(chain, sha256)
      insert.run(id ?? null, seq ?? null, at ?? null, bytes ?? null, sha256, chain)
    }
    const about = `${JSON.stringify([id, last, createdAt, updatedAt])}\n`
    end.run(chain, hashOf(about, chain), id ?? null)
  }
  database.exec(`
    DROP TABLE new_events;
    DROP TABLE new_conversations;
    DROP TABLE conversation_numbers;
    PRAGMA user_version = 4;
    COMMIT`)
  database.close()
}

function hashOf(...parts: readonly unknown[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part instanceof Uint8Array ? part : String(part))
  return hash.digest()
}
