import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, test } from 'vitest'
import type { ConversationEvent } from './events/conversation-event.ts'
import type * as opening from './open-store.ts'
import { CONNECTION_SETTINGS, WRITER_SETTINGS } from './rows/sqlite/sqlite-schema.ts'

// Node itself loads the store, because the test runner would replace every import by a proxy.
const { openStore }: typeof opening = createRequire(import.meta.url)('./open-store.ts')
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
  'append at durability %s, number of events in a transaction: %d',
  async ([durability, count], { bench }) => {
    const name = `${durability}-${count}`
    const store = await openStore(`sqlite:${join(folder, `${name}.db`)}`, { durability })
    let seq = 0
    const events = Array.from({ length: count }, () => EVENT)
    const insert = bareDriver(join(folder, `${name}-bare.db`), durability)
    await bench.compare(
      bench('node:sqlite: insert rows and update the head', () => insert(events)),
      bench('store.append', async () => {
        seq = (await store.append('c', seq, events)).seq
      }),
      { warmupTime: 1000, time: 3000 },
    )
    await store.close()
  },
)

/**
 * Writes the same data with as little work as possible, to the tables of an obvious design: one INSERT for each event and one UPDATE in a
 * transaction, with the settings of the store. It computes no hash.
 */
function bareDriver(
  file: string,
  durability: 'normal' | 'full',
): (events: readonly ConversationEvent[]) => void {
  const database = new DatabaseSync(file)
  database.exec(`
    ${CONNECTION_SETTINGS} ${WRITER_SETTINGS[durability]};
    CREATE TABLE conversations (
      id TEXT PRIMARY KEY, seq INTEGER, chain BLOB, created_at TEXT, updated_at TEXT, touched INTEGER, seal BLOB
    ) STRICT;
    CREATE TABLE events (
      conversation TEXT, seq INTEGER, at TEXT, bytes BLOB, original BLOB, chain BLOB,
      PRIMARY KEY (conversation, seq)
    ) STRICT;
    INSERT INTO conversations VALUES ('c', 0, zeroblob(32), '', '', 0, zeroblob(32))`)
  const move = database.prepare(
    'UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ? WHERE id = ?',
  )
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)')
  const hash = Buffer.alloc(32, 7)
  let seq = 0
  return (events) => {
    const at = new Date().toISOString()
    database.exec('BEGIN IMMEDIATE')
    for (const event of events) {
      seq += 1
      insert.run('c', seq, at, Buffer.from(JSON.stringify(event)), null, hash)
    }
    move.run(seq, hash, at, hash, 'c')
    database.exec('COMMIT')
  }
}
