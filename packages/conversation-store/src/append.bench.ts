import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, test } from 'vitest'
import type { ConversationEvent } from './events/conversation-event.ts'
import { openStore } from './open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

const EVENT: ConversationEvent = {
  type: 'user_message',
  content: [{ type: 'text', text: 'What is in a.rs? '.repeat(30) }],
}

test.for([
  ['full', 1],
  ['normal', 1],
  ['normal', 100],
] as const)(
  'append at durability %s, events in a transaction: %d',
  async ([durability, count], { bench }) => {
    const name = `${durability}-${count}`
    const store = await openStore(`sqlite:${join(folder, `${name}.db`)}`, { durability })
    let seq = 0
    const events = Array.from({ length: count }, () => EVENT)
    const insert = bareDriver(join(folder, `${name}-bare.db`), durability)
    await bench.compare(
      bench('node:sqlite: insert rows and update the head', () =>
        insert(events.map((event) => JSON.stringify(event)))),
      bench('store.append', async () => {
        seq = (await store.append('c', seq, events)).seq
      }),
    )
    await store.close()
  },
)

/** The least that keeps events: rows, and where the conversation is, in one transaction. */
function bareDriver(
  file: string,
  durability: 'normal' | 'full',
): (texts: readonly string[]) => void {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = ${durability};
    CREATE TABLE heads (id TEXT PRIMARY KEY, seq INTEGER) STRICT;
    CREATE TABLE events (conversation TEXT, seq INTEGER, at TEXT, bytes BLOB, PRIMARY KEY (conversation, seq)) STRICT;
    INSERT INTO heads VALUES ('c', 0)`)
  const head = database.prepare('UPDATE heads SET seq = ? WHERE id = ?')
  const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?)')
  const encoder = new TextEncoder()
  let seq = 0
  return (texts) => {
    database.exec('BEGIN IMMEDIATE')
    for (const text of texts) {
      seq += 1
      event.run('c', seq, new Date().toISOString(), encoder.encode(text))
    }
    head.run(seq, 'c')
    database.exec('COMMIT')
  }
}
