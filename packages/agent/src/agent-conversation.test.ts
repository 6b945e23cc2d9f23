import type { ConversationEvent } from '@toolblocks/conversation-store'
import { openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { getAgentConversation } from './agent-conversation.ts'
import { openConversation } from './open-conversation.ts'

const delegates = (id: string): ConversationEvent => ({
  type: 'tool_call',
  call: { id, name: 'delegate', arguments: { agent: 'a', task: id } },
})

test('each call has an agent with a conversation of its own, also if a provider uses an id again', async () => {
  const store = await openStore('memory:')
  onTestFinished(async () => await store.close())
  const conversation = await openConversation(store, 'chat')
  await conversation.record(delegates('call-1'))
  const first = getAgentConversation(conversation, 'call-1')
  await conversation.record(delegates('call-2'))
  const second = getAgentConversation(conversation, 'call-2')
  // It is the same until the call has its result.
  expect(getAgentConversation(conversation, 'call-1')).toBe(first)
  await conversation.record(delegates('call-1'))
  const third = getAgentConversation(conversation, 'call-1')
  const other = await openConversation(store, 'other chat')
  await other.record(delegates('call-1'))
  const fourth = getAgentConversation(other, 'call-1')
  expect(new Set([first, second, third, fourth]).size).toBe(4)
})
