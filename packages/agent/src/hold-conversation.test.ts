import { openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { holdConversation } from './hold-conversation.ts'
import { openConversation } from './open-conversation.ts'

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
