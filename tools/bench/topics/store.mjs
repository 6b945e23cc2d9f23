import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore } from '../../../packages/conversation-store/src/index.ts'
import {
  importConversation,
  openSource,
  readConversations,
} from '../../../packages/session-import/src/index.ts'
import {
  CONNECTION_SETTINGS,
  WRITER_SETTINGS,
} from '../../../packages/conversation-store/src/rows/sqlite/sqlite-schema.ts'
import { compareTimes } from '../measure.mjs'

export const title = 'The store'
export const intro =
  'An append to a SQLite file. The yardstick is the bare driver, `node:sqlite`: one INSERT for each event and one UPDATE, with the same transactions, columns and settings, and no hash. A rate ' +
  'of 0.9 of the driver is a ratio of 1.11; 0.85 is 1.18. An import reads a conversation of another program, appends all its events and verifies them.'

const folder = mkdtempSync(join(tmpdir(), 'toolblocks-bench-'))
// Not after the measurement: `pnpm bench` also imports this file for its title.
process.once('exit', () => rmSync(folder, { recursive: true }))
const EVENT = {
  type: 'user_message',
  content: [{ type: 'text', text: 'What is in a.rs? '.repeat(30) }],
}

export async function measure(pace) {
  return [
    await measureAppend(pace, { durability: 'normal', count: 1, target: 1 / 0.9 }),
    await measureAppend(pace, { durability: 'normal', count: 100, target: 1 / 0.85 }),
    await measureAppend(pace, { durability: 'full', count: 1, target: 1 / 0.9 }),
    ...(await measureRewriting(pace)),
    ...(await measureImport(pace)),
  ]
}

async function measureAppend(pace, { durability, count, target }) {
  const name = `${durability}-${count}`
  const store = await openStore(`sqlite:${join(folder, `${name}.db`)}`, { durability })
  const events = Array.from({ length: count }, () => EVENT)
  const bare = openBareDriver(join(folder, `${name}-bare.db`), durability)
  let seq = 0
  const row = await compareTimes(
    { ...pace, rounds: pace.rounds * 2, roundMs: pace.roundMs * 2 },
    {
      name: `append ${count === 1 ? 'one event' : `${count} events`}, durability \`${durability}\``,
      // A full append waits for the disk.
      clock: durability === 'full' ? 'elapsed' : 'cpu',
      ours: async () => {
        seq = (await store.append('c', seq, events)).seq
      },
      against: 'the bare driver',
      yardstick: () => bare.insert(events),
      target: { ratio: target },
      cause: 'the largest part is the hash of every event and of the row before it.',
    },
  )
  await store.close()
  bare.close()
  return row
}

/** Writes the same data with as little work as possible, to the tables of an obvious design. */
function openBareDriver(file, durability) {
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
  const row = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)')
  const hash = Buffer.alloc(32, 7)
  let seq = 0
  return {
    insert: (events) => {
      const time = new Date().toISOString()
      database.exec('BEGIN IMMEDIATE')
      for (const event of events) {
        seq += 1
        row.run('c', seq, time, Buffer.from(JSON.stringify(event)), null, hash)
      }
      move.run(seq, hash, time, hash, 'c')
      database.exec('COMMIT')
    },
    close: () => database.close(),
  }
}

/** Compares with hosts that write the complete conversation again after each message. */
async function measureRewriting(pace) {
  const rows = []
  for (const count of [100, 10_000]) {
    const store = await openStore(`sqlite:${join(folder, `${count}.db`)}`)
    const messages = Array.from({ length: count }, () => EVENT)
    let { seq } = await store.append('c', 0, messages)
    const file = join(folder, `${count}.json`)
    rows.push(
      await compareTimes(pace, {
        name: `one more message after ${count.toLocaleString('en')}, durability \`full\``,
        clock: 'elapsed',
        ours: async () => {
          seq = (await store.append('c', seq, [EVENT])).seq
        },
        against: 'a JSON file, written again',
        yardstick: async () => {
          await writeFile(`${file}.new`, JSON.stringify([...messages, EVENT]), { flush: true })
          await rename(`${file}.new`, file)
        },
      }),
    )
    await store.close()
  }
  return rows
}

async function measureImport(pace) {
  const path = writeConversation()
  let stores = 0
  const against = 'read the file and `JSON.parse`'
  const yardstick = () => JSON.parse(readFileSync(path, 'utf8'))
  const few = { ...pace, rounds: Math.ceil(pace.rounds / 4) }
  return [
    await compareTimes(few, {
      name: 'read a conversation of 4 MB for an import',
      ours: () => [...readConversations(openSource(path))],
      against,
      yardstick,
    }),
    await compareTimes(few, {
      name: 'import it into a new store, and verify it',
      clock: 'elapsed',
      ours: async () => {
        stores += 1
        const store = await openStore(`sqlite:${join(folder, `${stores}.db`)}`)
        for (const read of readConversations(openSource(path)))
          await importConversation(store, read)
        await store.close()
      },
      against,
      yardstick,
    }),
  ]
}

/** Writes a conversation of 4 MB: 400 calls, whose results are files of 7 KB in base64. */
function writeConversation() {
  const timestamp = '2026-03-05 22:12:35.693571'
  const file = 'const lamp = { is: "on", count: 4 } // what the hall has\n'.repeat(125)
  const records = Array.from({ length: 400 }, (_, index) => [
    {
      timestamp,
      type: 'tool_call_request',
      id: `c${index}`,
      name: 'read',
      arguments: { path: 'YQ==' },
    },
    {
      timestamp,
      type: 'tool_call_response',
      id: `c${index}`,
      content: Buffer.from(`${index}\n${file}`).toString('base64'),
      is_error: false,
    },
  ])
  const inner = join(folder, '17700000001-old')
  mkdirSync(inner)
  writeFileSync(join(inner, 'events.json'), `${JSON.stringify(records.flat(), null, 2)}\n`)
  return join(inner, 'events.json')
}
