import { type ConversationStore, openStore } from '@toolblocks/conversation-store'
import { expect, onTestFinished, test } from 'vitest'
import { findConversation } from './find-conversation.ts'

const FIRST = '5e551011-0000-4000-8000-000000000000'
const SECOND = 'claude-code-5e55a011-0000-4000-8000-000000000000'

async function open(...ids: readonly string[]): Promise<ConversationStore> {
  const store = await openStore('memory:')
  onTestFinished(() => store.close())
  for (const id of ids)
    await store.append(id, 0, [
      { type: 'user_message', content: [{ type: 'text', text: `Words of ${id.slice(0, 5)}.` }] },
    ])
  return store
}

test('a conversation is found by its id, by a prefix of it, with and without its format, or as the latest', async () => {
  const store = await open(FIRST, SECOND, 'lamps', 'lamps-2')
  for (const [typed, id] of [
    [FIRST, FIRST],
    ['5e551', FIRST],
    ['5e55a', SECOND],
    ['claude-code-5', SECOND],
    ['lamps', 'lamps'],
    ['lamps-', 'lamps-2'],
    ['latest', 'lamps-2'],
  ] as const)
    expect(await findConversation(store, typed)).toEqual({ ok: true, id })
})

test('if several conversations match, they are listed with their titles', async () => {
  const store = await open(FIRST, SECOND)
  expect(await findConversation(store, '5e55')).toEqual({
    ok: false,
    message:
      '2 conversations begin with "5e55": 5e55a011 (Words of claud.), 5e551011 (Words of 5e551.); type more characters of the id',
  })
})

test('if none matches, the most similar one is named', async () => {
  const store = await open('lamps', FIRST)
  const options = { name: 'kept.db' }
  expect(await findConversation(store, 'lampz', options)).toMatchObject({
    message: 'no conversation "lampz" in kept.db; did you mean "lamps"?',
  })
  expect(await findConversation(store, '5e551012', options)).toMatchObject({
    message: 'no conversation "5e551012" in kept.db; did you mean "5e551011"?',
  })
  expect(await findConversation(store, '', options)).toMatchObject({ ok: false })
  expect(await findConversation(await open(), 'latest', options)).toEqual({
    ok: false,
    message: 'there are no conversations in kept.db',
  })
})

test('the latest is a conversation that no agent leads, or one that the caller accepts', async () => {
  const store = await open('mine', 'other')
  const parent = { conversationId: 'other', callId: 'a' }
  await store.append('agent', 0, [{ type: 'configuration', values: { parent } }])
  expect(await findConversation(store, 'latest')).toEqual({ ok: true, id: 'other' })
  const isOwn = ({ title }: { title?: string }): boolean => title === 'Words of mine.'
  expect(await findConversation(store, 'latest', { isOwn })).toEqual({ ok: true, id: 'mine' })
})
