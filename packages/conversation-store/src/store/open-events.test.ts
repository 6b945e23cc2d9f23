import { expect, test } from 'vitest'
import type { ConversationEvent } from '../events/conversation-event.ts'
import { type OutsideConversation, openEvents } from './open-events.ts'

function say(text: string): ConversationEvent {
  return { type: 'user_message', content: [{ type: 'text', text }] }
}

const TIME = '2026-01-02T03:04:05.000Z'

/** A conversation of texts; the text `lost` cannot be read any more. */
function makeConversation(id: string, texts: readonly string[]): OutsideConversation {
  return {
    id,
    length: texts.length,
    get: (index) => {
      if (texts[index] === 'lost') throw new Error('the file was replaced')
      return { event: say(texts[index] ?? ''), at: TIME }
    },
    getOriginal: (index) => Buffer.from(`record ${index}`),
    getInstead: () => say('instead'),
  }
}

test('two conversations are read apart, each event with its number, time and original', async () => {
  const store = await openEvents(
    [makeConversation('a', ['one', 'two']), makeConversation('b', ['two'])],
    {},
  )
  const { events } = await store.read('a')
  expect(events).toEqual([
    { seq: 1, at: TIME, event: say('one'), original: new Uint8Array(Buffer.from('record 0')) },
    { seq: 2, at: TIME, event: say('two'), original: new Uint8Array(Buffer.from('record 1')) },
  ])
  expect((await store.read('b')).events.map(({ event }) => event)).toEqual([say('two')])
  expect((await store.read('c')).events).toEqual([])
  const { conversations } = await store.list()
  expect(conversations.map(({ id, events: count }) => [id, count])).toEqual([
    ['b', 1],
    ['a', 2],
  ])
  const hits = await store.search({ text: 'TWO' })
  expect(hits.map(({ conversation, seq }) => [conversation, seq])).toEqual([
    ['b', 1],
    ['a', 2],
  ])
  expect(await store.search({ text: 'two', conversation: 'a' })).toHaveLength(1)
})

test('an event that cannot be read any more is damaged, and the others are read', async () => {
  const store = await openEvents([makeConversation('a', ['one', 'lost', 'two'])], {})
  const { events, damaged } = await store.read('a')
  expect(events.map(({ seq }) => seq)).toEqual([1, 3])
  expect(damaged.map(({ seq, problem }) => [seq, problem.message])).toEqual([
    [2, 'the file was replaced'],
  ])
})

test('a search that reaches an event that cannot be read any more says that it is not complete', async () => {
  const store = await openEvents([makeConversation('a', ['one', 'lost', 'two'])], {})
  await expect(store.search({ text: 'one' })).rejects.toThrow(
    'The search is not complete: event 2 of "a" cannot be read: the file was replaced.',
  )
})

test('an event that no store keeps is replaced', async () => {
  const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as never
  const outside = {
    ...makeConversation('a', ['one']),
    get: () => ({ event: { type: 'state', value: deep } as never, at: TIME }),
  }
  const store = await openEvents([outside], { originals: 'omit' })
  expect((await store.read('a')).events).toEqual([{ seq: 1, at: TIME, event: say('instead') }])
})

test('nothing can be changed, and kept bytes can be read', async () => {
  const bytes = new Uint8Array([1, 2, 3])
  const store = await openEvents([makeConversation('a', ['one'])], { bytes: [bytes] })
  const document = { collection: 'c', id: 'd', version: 0, state: 's', value: 1 }
  const changes = [
    store.append('a', 1, [say('more')]),
    store.delete('a'),
    store.scrub({ secret: 'one' }),
    store.documents.write(document),
  ]
  for (const change of changes) await expect(change).rejects.toMatchObject({ code: 'read-only' })
  const sha256 = '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81'
  expect(await store.readBytes(sha256)).toEqual(bytes)
})
