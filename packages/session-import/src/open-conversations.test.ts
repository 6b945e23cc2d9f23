import { type ConversationStore, openStore, readEntries } from '@toolblocks/conversation-store'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FIXTURES, makeFile } from './fixtures.support.ts'
import { importConversation, readConversations } from './import-conversation.ts'
import { openConversations } from './open-conversations.ts'
import { getLines, getSource } from './sources/make-source.support.ts'
import { openSource } from './sources/source.ts'
import { splitDocument, splitFile } from './records/split-document.ts'

/** Reads everything that a store tells. */
async function readStore(store: ConversationStore): Promise<unknown> {
  const { conversations } = await store.list({ limit: Infinity })
  const read = async (id: string): Promise<unknown> => {
    const { events, damaged } = await store.read(id, { limit: Infinity })
    return [id, damaged, events.map((each) => ({ ...each, original: text(each.original) }))]
  }
  const hits = await store.search({ text: 'the', limit: 1000 })
  return [conversations, await Promise.all(conversations.map(({ id }) => read(id))), hits]
}

function text(bytes: Uint8Array | undefined): string | undefined {
  return bytes && Buffer.from(bytes).toString('latin1')
}

test.for(FIXTURES)('$name: read on demand, it gives what an import stores', async (fixture) => {
  const path = makeFile(fixture)
  const store = await openStore('memory:')
  const whole = readConversations(openSource(path))
  for (const read of whole) await importConversation(store, read)
  const expected = await readStore(store)
  for (const textsOnDemandFrom of [0, 20, Infinity]) {
    const conversations = readConversations(openSource(path), { textsOnDemandFrom })
    expect(
      conversations.map(({ before, bytes, problems }) => ({ before, bytes, problems })),
    ).toEqual(whole.map(({ before, bytes, problems }) => ({ before, bytes, problems })))
    const opened = await openConversations(conversations)
    expect(await readStore(opened)).toEqual(expected)
  }
})

test.for(FIXTURES.filter(({ name }) => name.endsWith('.jsonl')))(
  '$name: split part by part, it gives the same records and problems as the whole file',
  ({ path }) => {
    const bytes = readFileSync(path)
    const torn = [
      bytes,
      bytes.subarray(0, -20),
      Buffer.concat([bytes, Buffer.from('{"a":\n\n[1]\n'), bytes]),
    ]
    for (const file of torn) {
      const read = (offset: number, length: number): Uint8Array =>
        file.subarray(offset, offset + length)
      const whole = splitDocument(file)
      for (const part of [100, 1000, 10_000]) {
        const split = splitFile({ size: file.length, read }, { textsOnDemandFrom: 50 }, part)
        if (!split) continue
        expect(split.shape).toBe('lines')
        expect(split.problems).toEqual(whole.problems)
        expect(split.records.map(({ value, bytes: own }) => [value, text(own)])).toEqual(
          whole.records.map(({ value, bytes: own }) => [value, text(own)]),
        )
      }
      expect(
        splitFile({ size: file.length, read }, { textsOnDemandFrom: 50 })?.shape ?? 'object',
      ).toBe(whole.shape)
    }
  },
)

test.for<[string, (path: string) => void, string]>([
  [
    'replaced',
    (path) => writeFileSync(path, 'shorter'),
    'the file was changed or replaced after it was read',
  ],
  ['deleted', (path) => rmSync(path), 'the file was deleted or moved after it was read'],
])('an event whose file was %s is damaged, and says so', async ([, change, message]) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-replaced-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'session.jsonl')
  const line = (uuid: string): object => ({
    parentUuid: null,
    sessionId: 's',
    uuid,
    timestamp: '2026-02-03T04:05:06.000Z',
    type: 'user',
    message: { role: 'user', content: 'x'.repeat(1_500_000) },
  })
  writeFileSync(path, getLines([line('a'), line('b')]))
  const [read] = readConversations(openSource(path), { textsOnDemandFrom: 1024 })
  if (!read) throw new Error('expected a conversation')
  change(path)
  const { damaged } = await (await openConversations([read])).read(read.id)
  expect(damaged.map(({ problem }) => problem.message)).toEqual([message, message])
})

test('long texts of a record and of its events are not kept in memory', () => {
  const long = 'x'.repeat(5000)
  const bytes = getLines([
    {
      parentUuid: null,
      sessionId: 's',
      uuid: 'u',
      timestamp: '2026-02-03T04:05:06.000Z',
      type: 'user',
      message: { role: 'user', content: long },
    },
  ])
  const [read] = readConversations(getSource(bytes), { textsOnDemandFrom: 1024 })
  const event = read?.events[0]?.event
  const block = event?.type === 'user_message' ? event.content[0] : undefined
  expect(block).toEqual({ type: 'text', text: long })
  expect(Object.getOwnPropertyDescriptor(block, 'text')?.get).toBeTypeOf('function')
})

test('conversations with the same id get the ids that an import gives them, and a longer copy continues a shorter one', async () => {
  const line = (uuid: string, content: string): object => ({
    parentUuid: null,
    sessionId: 's',
    uuid,
    timestamp: '2026-02-03T04:05:06.000Z',
    type: 'user',
    message: { role: 'user', content },
  })
  const files = [
    [line('a', 'one')],
    [line('b', 'other')],
    [line('a', 'one'), line('c', 'two')],
    [line('a', 'one')],
  ].map((lines) => getSource(getLines(lines)))
  const store = await openStore('memory:')
  const reads = files.flatMap((source) => readConversations(source))
  for (const read of reads) await importConversation(store, read)
  const opened = await openConversations(reads)
  expect(await readStore(opened)).toEqual(await readStore(store))
})

test('pages, ends and limits are those of a store', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => ({
    parentUuid: null,
    sessionId: 's',
    uuid: `u${index}`,
    timestamp: '2026-02-03T04:05:06.000Z',
    type: 'user',
    message: { role: 'user', content: `word${index}` },
  }))
  const [read] = readConversations(getSource(getLines(lines)))
  if (!read) throw new Error('expected a conversation')
  const store = await openStore('memory:')
  await importConversation(store, read)
  const opened = await openConversations([read])
  for (const request of [
    {},
    { after: 100 },
    { before: Infinity, limit: 1 },
    { before: 60, limit: 7 },
    { after: 3, before: 5 },
    { limit: 0 },
    { after: 500 },
  ])
    expect(await opened.read(read.id, request)).toEqual(await store.read(read.id, request))
  expect(await opened.search({ text: 'word7' })).toEqual(await store.search({ text: 'word7' }))
  expect(await opened.read('another')).toEqual(await store.read('another'))
})

test('a page without a limit ends after a megabyte, and the next one continues', async () => {
  const lines = Array.from({ length: 5 }, (_, index) => ({
    parentUuid: null,
    sessionId: 's',
    uuid: `u${index}`,
    timestamp: '2026-02-03T04:05:06.000Z',
    type: 'user',
    message: { role: 'user', content: 'x'.repeat(600_000) },
  }))
  const [read] = readConversations(getSource(getLines(lines)))
  if (!read) throw new Error('expected a conversation')
  const opened = await openConversations([read], { originals: 'omit' })
  const { events, more } = await opened.read(read.id)
  expect([events.map(({ seq }) => seq), more]).toEqual([[1, 2], true])
  expect(events[0]).not.toHaveProperty('original')
  expect(await opened.read(read.id, { after: 4 })).toMatchObject({
    events: [{ seq: 5 }],
    more: false,
  })
  const all: number[] = []
  for await (const { seq } of readEntries(opened, read.id)) all.push(seq)
  expect(all).toEqual([1, 2, 3, 4, 5])
})

test('nothing can be added, and following ends with its signal', async () => {
  const opened = await openConversations([])
  await expect(opened.append('a', 0, [])).rejects.toThrow('only read')
  const leaving = new AbortController()
  leaving.abort()
  for await (const event of opened.follow('a', { signal: leaving.signal })) expect(event).toBe(0)
})
