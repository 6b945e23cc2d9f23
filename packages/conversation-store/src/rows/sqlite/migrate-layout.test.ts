import { expect, test } from 'vitest'
import type { ConversationEvent } from '../../events/conversation-event.ts'
import { openStore } from '../../open-store.ts'
import { writeFirstLayout } from './first-layout.suite.ts'
import { toFifthLayout } from './fifth-layout.suite.ts'
import { toFourthLayout } from './fourth-layout.suite.ts'
import { file, tamper, useDatabaseFile } from './database-file.suite.ts'

useDatabaseFile()

test('a file of the first layout is read, verified and continued', async () => {
  writeFirstLayout(file, { '': 1, a: 3, long: 450 })
  for (const seq of [3, 4]) {
    const store = await openStore(`sqlite:${file}`)
    expect((await store.read('long', { limit: Infinity })).events).toHaveLength(450)
    expect((await store.read('a')).events[0]).toEqual({
      seq: 1,
      at: '2026-01-01T00:00:01.000Z',
      event: { type: 'turn_start', turn: 1 },
    })
    for (const id of ['', 'a', 'long']) expect(await store.verify(id)).toEqual([])
    expect(await store.append('a', seq, [{ type: 'turn_start', turn: 9 }])).toEqual({
      ok: true,
      seq: seq + 1,
    })
    expect((await store.list()).conversations).toHaveLength(3)
    await store.close()
  }
})

test.for([
  [
    'a changed byte',
    `UPDATE events SET bytes = CAST('{"type":"x"}' AS BLOB) WHERE conversation = 'c' AND seq = 2`,
    2,
  ],
  ['a changed time', "UPDATE events SET at = '1999' WHERE conversation = 'c' AND seq = 2", 2],
  ['a missing event', "DELETE FROM events WHERE conversation = 'c' AND seq = 2", 2],
  ['a missing end', "DELETE FROM events WHERE conversation = 'c' AND seq = 3", 3],
  ['another end', "UPDATE conversations SET chain = zeroblob(32) WHERE id = 'c'", 3],
] as const)(
  '%s in a file of the first layout is found after its migration too',
  async ([, sql, seq]) => {
    writeFirstLayout(file, { c: 3, d: 3 })
    tamper(sql)
    const store = await openStore(`sqlite:${file}`)
    await expect(store.read('c')).rejects.toMatchObject({ code: 'damaged', seq })
    expect(await store.verify('c')).not.toEqual([])
    expect((await store.read('d')).events).toHaveLength(3)
    await store.close()
  },
)

test('a file of the first layout that cannot be migrated is unchanged', async () => {
  writeFirstLayout(file, { c: 3 })
  tamper('ALTER TABLE events RENAME COLUMN at TO other')
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({ code: 'cannot-open' })
  tamper('ALTER TABLE events RENAME COLUMN other TO at')
  const store = await openStore(`sqlite:${file}`)
  expect((await store.read('c')).events).toHaveLength(3)
  await store.close()
})

test('a file of layout 2 gets tables for blobs and words, and its events are unchanged', async () => {
  const long: ConversationEvent = {
    type: 'user_message',
    content: [{ type: 'text', text: 'lighthouse '.repeat(900) }],
  }
  const old = await openStore(`sqlite:${file}`, { inlineLimit: Infinity })
  await old.append('c', 0, [long])
  await old.close()
  toFourthLayout(file)
  tamper(
    `DROP TABLE blobs; DROP TABLE blob_uses; DROP TABLE event_words; DROP TABLE word_index; DROP TABLE words_known;
    DROP TABLE blob_pieces; ALTER TABLE events DROP COLUMN scrubbed_at; ALTER TABLE events DROP COLUMN scrubbed_sha256;
    PRAGMA user_version = 2`,
  )
  const store = await openStore(`sqlite:${file}`)
  expect(await store.append('c', 1, [long])).toEqual({ ok: true, seq: 2 })
  expect((await store.read('c')).events.map(({ event }) => event)).toEqual([long, long])
  expect(await store.verify('c')).toEqual([])
  expect(await store.search({ text: 'lighthouse' })).toHaveLength(2)
  await store.close()
})

/** Writes two conversations with a blob and words. */
async function writeConversations(): Promise<void> {
  const store = await openStore(`sqlite:${file}`)
  const picture: ConversationEvent = {
    type: 'user_message',
    content: [{ type: 'image', data: 'AAAA'.repeat(4000), mimeType: 'image/png' }],
  }
  const secret: ConversationEvent = {
    type: 'user_message',
    content: [{ type: 'text', text: 'the lighthouse opens with sesame-77-open' }],
  }
  await store.append('c', 0, [picture, secret, { type: 'turn_start', turn: 1 }])
  await store.append('d', 0, [{ type: 'turn_start', turn: 1 }])
  await store.append('c', 3, [{ type: 'turn_start', turn: 2 }])
  await store.search({ text: 'lighthouse' })
  await store.close()
}

/** Writes them as layout 4 keeps them. */
async function writeFourthLayout(): Promise<void> {
  await writeConversations()
  toFourthLayout(file)
}

test('a file of layout 4 is the same store after its migration', async () => {
  await writeFourthLayout()
  const store = await openStore(`sqlite:${file}`)
  expect((await store.list()).conversations.map(({ id, events }) => [id, events])).toEqual([
    ['c', 4],
    ['d', 1],
  ])
  for (const id of ['c', 'd']) expect(await store.verify(id)).toEqual([])
  expect(await store.scrub({ conversation: 'c', secret: 'sesame-77-open' })).toMatchObject({
    events: 1,
  })
  expect(await store.append('c', 4, [{ type: 'turn_start', turn: 3 }])).toEqual({
    ok: true,
    seq: 5,
  })
  for (const id of ['c', 'd']) expect(await store.verify(id)).toEqual([])
  const { events } = await store.read('c')
  expect(events.map(({ seq, event }) => [seq, event.type])).toEqual([
    [1, 'user_message'],
    [2, 'user_message'],
    [3, 'turn_start'],
    [4, 'turn_start'],
    [5, 'turn_start'],
  ])
  expect(JSON.stringify(events)).toContain('AAAA')
  expect(JSON.stringify(events)).not.toContain('sesame')
  expect(await store.search({ text: 'lighthouse' })).toMatchObject([{ conversation: 'c', seq: 2 }])
  expect(await store.append('d', 1, [{ type: 'turn_start', turn: 2 }])).toEqual({
    ok: true,
    seq: 2,
  })
  expect((await store.list()).conversations[0]).toMatchObject({ id: 'd' })
  expect(await store.delete('c')).toBe(true)
  expect((await store.read('d')).events).toHaveLength(2)
  await store.close()
})

test.for([
  [
    'a changed byte',
    "UPDATE events SET bytes = CAST('{}' AS BLOB) WHERE conversation = 'c' AND seq = 2",
    2,
  ],
  ['a missing event', "DELETE FROM events WHERE conversation = 'c' AND seq = 2", 2],
  [
    'a changed link',
    "UPDATE events SET chain = zeroblob(32) WHERE conversation = 'c' AND seq = 2",
    2,
  ],
  [
    'a changed hash',
    "UPDATE events SET sha256 = zeroblob(32) WHERE conversation = 'c' AND seq = 2",
    2,
  ],
  [
    'a number beyond all',
    "UPDATE events SET seq = 1000000000 WHERE conversation = 'c' AND seq = 4",
    4,
  ],
  [
    'a missing conversation',
    "PRAGMA foreign_keys = OFF; DELETE FROM conversations WHERE id = 'c'",
    0,
  ],
  ['a lost name', "PRAGMA foreign_keys = OFF; UPDATE conversations SET id = 'x' WHERE id = 'c'", 0],
] as const)('%s in a file of layout 4 is found after its migration too', async ([, sql, seq]) => {
  await writeFourthLayout()
  tamper(sql)
  const store = await openStore(`sqlite:${file}`)
  await expect(store.read('c')).rejects.toMatchObject({ code: 'damaged', seq })
  expect(await store.verify('c')).not.toEqual([])
  expect((await store.read('d')).events).toHaveLength(1)
  await store.close()
})

test('a file of layout 5 is the same store after its migration, and has documents', async () => {
  await writeConversations()
  const read = async (): Promise<unknown> => {
    const store = await openStore(`sqlite:${file}`)
    const list = await store.list()
    const pages = [await store.read('c'), await store.read('d')]
    const hits = await store.search({ text: 'lighthouse' })
    await store.close()
    return { list, pages, hits }
  }
  const before = await read()
  toFifthLayout(file)
  expect(await read()).toEqual(before)
  toFifthLayout(file)
  const store = await openStore(`sqlite:${file}`)
  for (const id of ['c', 'd']) expect(await store.verify(id)).toEqual([])
  expect(await store.append('c', 4, [{ type: 'turn_start', turn: 3 }])).toEqual({
    ok: true,
    seq: 5,
  })
  const lease = { collection: 'lease', id: 'c', state: 'held', conversation: 'c', value: 'host 1' }
  expect(await store.documents.write({ ...lease, version: 0 })).toMatchObject({ ok: true })
  await store.close()
  const again = await openStore(`sqlite:${file}`)
  expect(await again.documents.read('lease', 'c')).toMatchObject({ ...lease, version: 1 })
  expect(await again.delete('c')).toBe(true)
  expect(await again.documents.list('lease')).toEqual({ documents: [], damaged: [] })
  await again.close()
})

test('a file of layout 5 that cannot be migrated is unchanged', async () => {
  await writeConversations()
  toFifthLayout(file)
  tamper('CREATE TABLE documents (theirs)')
  await expect(openStore(`sqlite:${file}`)).rejects.toMatchObject({ code: 'cannot-open' })
  tamper('DROP TABLE documents')
  const store = await openStore(`sqlite:${file}`)
  expect((await store.read('c')).events).toHaveLength(4)
  await store.close()
})
