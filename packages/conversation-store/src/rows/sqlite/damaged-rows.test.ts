import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openStore } from '../../open-store.ts'
import { chainRows, EMPTY_CHAIN_HEAD } from '../event-row.ts'
import { effectOfFlip, type FlippedFile, randomFrom, writeStore } from './flip-bytes.support.ts'
import { file, folder, tamper, turns, written, useDatabaseFile } from './database-file.support.ts'

useDatabaseFile()

const DAMAGES = [
  [
    'a changed byte',
    "UPDATE events SET bytes = CAST(replace(CAST(bytes AS TEXT), '1', '2') AS BLOB) WHERE seq = 2 AND conversation = 'c'",
    2,
    /differ from those that were written/,
  ],
  [
    'a changed time',
    "UPDATE events SET at = '1999' WHERE seq = 2 AND conversation = 'c'",
    2,
    /differ from those that were written/,
  ],
  ['a missing event', "DELETE FROM events WHERE seq = 2 AND conversation = 'c'", 2, /missing/],
  [
    'a missing end',
    "DELETE FROM events WHERE seq = 3 AND conversation = 'c'",
    3,
    /ends with event 2, but event 3 was written last|missing/,
  ],
  [
    'exchanged events',
    `CREATE TEMP TABLE old AS SELECT * FROM events;
     UPDATE events SET (at, bytes) = (SELECT at, bytes FROM old WHERE seq = 5 - events.seq AND conversation = 'c')
     WHERE conversation = 'c' AND seq > 1`,
    2,
    /differ from those that were written/,
  ],
  [
    'an event of another conversation',
    "UPDATE events SET (at, bytes, chain) = (SELECT at, bytes, chain FROM events WHERE conversation = 'd' AND seq = 2) WHERE seq = 2 AND conversation = 'c'",
    2,
    /differ from those that were written/,
  ],
  [
    'a changed link',
    "UPDATE events SET chain = zeroblob(32) WHERE seq = 2 AND conversation = 'c'",
    2,
    /differ from those that were written/,
  ],
  [
    'an end that was moved forward',
    "UPDATE conversations SET seq = 2, chain = (SELECT chain FROM events WHERE conversation = 'c' AND seq = 2) WHERE id = 'c'",
    2,
    /beside its events/,
  ],
  [
    'a lost name',
    "PRAGMA foreign_keys = OFF; UPDATE conversations SET id = 'x' WHERE id = 'c'",
    0,
    /beside its events/,
  ],
  [
    'a lost number',
    "DELETE FROM conversation_numbers WHERE conversation = 'c'",
    0,
    /beside its events/,
  ],
  [
    'a changed number',
    "UPDATE conversation_numbers SET number = (SELECT number FROM conversations WHERE id = 'd') WHERE conversation = 'c'",
    0,
    /beside its events/,
  ],
] as const

test.for(DAMAGES)(
  'read and verify find %s, and report the conversation and the event',
  async ([, sql, seq, message]) => {
    await written(3)
    await written(3, 'd')
    tamper(sql)
    const store = await openStore(`sqlite:${file}`)
    expect((await store.verify('c')).map((problem) => problem.message).join()).toMatch(message)
    for (const request of [{}, { before: Infinity }])
      await expect(store.read('c', request)).rejects.toMatchObject({
        code: 'damaged',
        conversation: 'c',
        seq,
        message: expect.stringMatching(message),
      })
    expect((await store.read('d')).events).toHaveLength(3)
    await store.close()
  },
)

test('finds an end that is valid in itself but is not the one that was written last', async () => {
  await written(2)
  const [first, other] = chainRows('c', EMPTY_CHAIN_HEAD, [
    { at: '2026-11-21T00:00:00.000Z', bytes: Buffer.from('{"type":"turn_start","turn":1}') },
    { at: '2026-11-21T00:00:00.000Z', bytes: Buffer.from('{"type":"turn_start","turn":2}') },
  ])
  const database = new DatabaseSync(file)
  const exchange = database.prepare('UPDATE events SET at = ?, bytes = ?, chain = ? WHERE seq = ?')
  for (const row of [first, other]) if (row) exchange.run(row.at, row.bytes, row.chain, row.seq)
  database.close()
  const store = await openStore(`sqlite:${file}`)
  await expect(store.read('c')).rejects.toMatchObject({ code: 'damaged', seq: 2 })
  expect(await store.verify('c')).toMatchObject([{ path: '/2' }])
  await store.close()
})

test('the events around a damaged one stay readable', async () => {
  await written(5)
  tamper("UPDATE events SET bytes = CAST('garbage' AS BLOB) WHERE seq = 3")
  const store = await openStore(`sqlite:${file}`)
  expect((await store.read('c', { before: 3 })).events.map(({ seq }) => seq)).toEqual([1, 2])
  expect((await store.read('c', { after: 3 })).events.map(({ seq }) => seq)).toEqual([4, 5])
  await store.close()
})

test('a conversation with a damaged end accepts no append, and can be deleted', async () => {
  await written(3)
  tamper('UPDATE conversations SET seq = 2')
  const store = await openStore(`sqlite:${file}`)
  for (const seq of [0, 2, 3])
    await expect(store.append('c', seq, turns(1))).rejects.toMatchObject({ code: 'damaged' })
  await expect(store.list()).rejects.toMatchObject({ code: 'damaged', conversation: 'c' })
  expect(await store.delete('c')).toBe(true)
  expect(await store.append('c', 0, turns(1))).toEqual({ ok: true, seq: 1 })
  await store.close()
})

test.for<[string, string]>([
  ['its name was lost', "UPDATE conversations SET id = 'x' WHERE id = 'c'"],
  ['its number was lost', "DELETE FROM conversation_numbers WHERE conversation = 'c'"],
  [
    'its number leads to another one',
    "UPDATE conversation_numbers SET number = (SELECT number FROM conversations WHERE id = 'd') WHERE conversation = 'c'",
  ],
])(
  'a conversation can be deleted if %s, and other conversations are unchanged',
  async ([, sql]) => {
    await written(3)
    await written(3, 'd')
    tamper(sql)
    const store = await openStore(`sqlite:${file}`)
    await expect(store.append('c', 3, turns(1))).rejects.toMatchObject({ code: 'damaged' })
    expect(await store.delete('c')).toBe(true)
    expect((await store.read('c')).events).toEqual([])
    expect(await store.append('c', 0, turns(1))).toEqual({ ok: true, seq: 1 })
    expect(await store.verify('d')).toEqual([])
    expect((await store.read('d')).events).toHaveLength(3)
    expect((await store.list()).conversations.map(({ id }) => id)).toEqual(['c', 'd'])
    await store.close()
  },
)

test('bytes that flip in a file of a store are never misread or omitted silently', async () => {
  const store = await writeStore(folder)
  const random = randomFrom(7)
  const files: readonly FlippedFile[] = ['closed db', 'db', 'wal', 'shm']
  const counts = { right: 0, reported: 0, wrong: 0, missing: 0, 'wrong list': 0, 'other error': 0 }
  for (let run = 0; run < 100; run++)
    counts[await effectOfFlip(store, files[run % files.length] ?? 'db', random)] += 1
  expect(counts).toMatchObject({ wrong: 0, missing: 0, 'other error': 0 })
  expect(counts.reported).toBeGreaterThan(20)
  expect(counts.right).toBeGreaterThan(10)
  // Every run opens a copy, and the disk may be busy.
}, 120_000)
