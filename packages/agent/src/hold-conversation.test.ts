import { openStore, readLeaseHolder } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { holdConversation } from './hold-conversation.ts'
import { openConversation } from './open-conversation.ts'
import { withSlowWrites } from './slow-store.support.ts'

test('a host that continues a conversation has everything that another host wrote before', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const [one, other] = [await openConversation(store, 'c'), await openConversation(store, 'c')]
  const { signal } = new AbortController()
  await holdConversation(one, { holder: 'one', signal }, async () => {
    await one.record({ type: 'turn_start', turn: 1 })
  })
  const seen = await holdConversation(other, { holder: 'other', signal }, async () =>
    other.events().map(({ event }) => event),
  )
  expect(seen).toEqual([{ type: 'turn_start', turn: 1 }])
})

test.for<[string, () => Promise<string>, string]>([
  ['ends', async () => 'done', 'done'],
  ['fails', async () => await Promise.reject(new Error('disk full')), 'disk full'],
])('when the work %s, the conversation is free for other hosts', async ([, work, outcome]) => {
  const store = withSlowWrites(await openStore('memory:'))
  onTestFinished(async () => await store.close())
  const { signal } = new AbortController()
  const conversation = await openConversation(store, 'c')
  const held = holdConversation(conversation, { holder: 'one', signal }, async () => {
    expect(await readLeaseHolder(store.documents, 'c')).toBe('one')
    return await work()
  })
  expect(await held.catch((error: Error) => error.message)).toBe(outcome)
  expect(await readLeaseHolder(store.documents, 'c')).toBeUndefined()
})

test('before the work, the events of other hosts were read, also from a slow store', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const slow: typeof store = {
    ...store,
    read: async (...args) => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
      return await store.read(...args)
    },
  }
  const conversation = await openConversation(slow, 'c')
  await store.append('c', 0, [{ type: 'turn_start', turn: 1 }])
  const { signal } = new AbortController()
  await holdConversation(conversation, { holder: 'one', signal }, async () => {
    expect(conversation.events()).toHaveLength(1)
  })
  expect((await openConversation(slow, 'c')).events()).toHaveLength(1)
})
