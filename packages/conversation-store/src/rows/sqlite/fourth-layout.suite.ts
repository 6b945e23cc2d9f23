import { DatabaseSync } from 'node:sqlite'
import { toEventRow } from '../sql-row.ts'
import { hashTwice } from '../two-hashes.suite.ts'

/** The tables of layout 4 that later layouts changed, as its version created them. */
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

/** Converts a file of this version to layout 4, with the same conversations. None of their events may be scrubbed. */
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
  const select = database.prepare('SELECT * FROM new_events WHERE conversation = ? ORDER BY seq')
  for (const head of database.prepare(`SELECT ${HEAD} FROM conversations`).all()) {
    const id = String(head['id'])
    const rows = select.all(id).map(toEventRow)
    const times = { createdAt: String(head['created_at']), updatedAt: String(head['updated_at']) }
    const { hashes, seal } = hashTwice(id, { rows, ...times })
    for (const [index, { seq, at, bytes }] of rows.entries()) {
      const { sha256 = null, chain = null } = hashes[index] ?? {}
      insert.run(id, seq, at, bytes, sha256, chain)
    }
    end.run(hashes.at(-1)?.chain ?? null, seal, id)
  }
  database.exec(`
    DROP TABLE new_events;
    DROP TABLE new_conversations;
    DROP TABLE conversation_numbers;
    DROP TABLE documents;
    PRAGMA user_version = 4;
    COMMIT`)
  database.close()
}
