import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** The tables of layout 1, as its version created them. */
const CREATE_TABLES = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    chain BLOB NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    touched INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX conversations_by_touched ON conversations (touched DESC);
  CREATE TABLE events (
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    bytes BLOB NOT NULL,
    sha256 BLOB NOT NULL,
    chain BLOB NOT NULL,
    PRIMARY KEY (conversation, seq)
  ) STRICT;
  PRAGMA application_id = 1413628755;
  PRAGMA user_version = 1;
`

/** Writes a file as the version of layout 1 did: each conversation with a number of turns. */
export function writeFirstLayout(
  file: string,
  conversations: Readonly<Record<string, number>>,
): void {
  const database = new DatabaseSync(file)
  database.exec(CREATE_TABLES)
  const head = database.prepare('INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?)')
  const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)')
  database.exec('BEGIN')
  for (const [index, [id, count]] of Object.entries(conversations).entries()) {
    const at = `2026-01-01T00:00:0${index}.000Z`
    const rows = []
    let chain: Uint8Array = new Uint8Array()
    for (let seq = 1; seq <= count; seq++) {
      const bytes = Buffer.from(JSON.stringify({ type: 'turn_start', turn: seq }))
      const sha256 = createHash('sha256').update(bytes).digest()
      chain = createHash('sha256').update(chain).update(at).update(sha256).digest()
      rows.push([id, seq, at, bytes, sha256, chain] as const)
    }
    head.run(id, count, chain, at, at, index + 1)
    for (const row of rows) event.run(...row)
  }
  database.exec('COMMIT')
  database.close()
}
