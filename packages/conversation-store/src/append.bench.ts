import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, test } from 'vitest'
import type { ConversationEvent } from './events/conversation-event.ts'
import { openStore } from './open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-bench-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('append one event', async ({ bench }) => {
  const event: ConversationEvent = {
    type: 'user_message',
    content: [{ type: 'text', text: 'What is in a.rs? '.repeat(30) }],
  }
  const store = await openStore(`sqlite:${join(folder, 'store.db')}`)
  let seq = 0
  const insert = bareDriver(join(folder, 'bare.db'))
  await bench.compare(
    bench('node:sqlite: insert a row and update the head', () => insert(JSON.stringify(event))),
    bench('store.append', async () => {
      seq = (await store.append('c', seq, [event])).seq
    }),
  )
  await store.close()
})

/** The least that keeps an event for good: a row, and where the conversation is, in one synced transaction. */
function bareDriver(file: string): (text: string) => void {
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE heads (id TEXT PRIMARY KEY, seq INTEGER) STRICT;
    CREATE TABLE events (conversation TEXT, seq INTEGER, at TEXT, bytes BLOB, PRIMARY KEY (conversation, seq)) STRICT;
    INSERT INTO heads VALUES ('c', 0)`)
  const head = database.prepare('UPDATE heads SET seq = ? WHERE id = ?')
  const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?)')
  const encoder = new TextEncoder()
  let seq = 0
  return (text) => {
    seq += 1
    database.exec('BEGIN IMMEDIATE')
    head.run(seq, 'c')
    event.run('c', seq, new Date().toISOString(), encoder.encode(text))
    database.exec('COMMIT')
  }
}
