import { openStore } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { importConversation, readConversations } from './import-conversation.ts'
import type { ReadConversation } from './convert/read-conversation.ts'
import { getSource } from './sources/make-source.support.ts'

const message = (content: string) => ({
  timestamp: '2026-03-05 22:12:35.5',
  type: 'chat_request',
  content,
})

function read(...contents: string[]): ReadConversation {
  const [conversation] = readConversations(getSource(contents.map(message)))
  if (!conversation) throw new Error('expected a conversation')
  return conversation
}

test('the counts after an import equal those before it', async () => {
  const store = await openStore('memory:')
  const conversation = read('a', 'b')
  const imported = await importConversation(store, conversation)
  expect(imported).toEqual({
    conversation: 'jp-17700000001',
    state: 'imported',
    added: 2,
    after: conversation.before,
    bytes: conversation.bytes,
    problems: [],
  })
  const { events } = await store.read('jp-17700000001')
  expect(events[0]).toMatchObject({
    at: '2026-03-05T22:12:35.500Z',
    event: { type: 'user_message' },
  })
  await store.close()
})

test('a second import adds nothing, or only the new events if the source has grown', async () => {
  const store = await openStore('memory:')
  await importConversation(store, read('a'))
  expect(await importConversation(store, read('a'))).toMatchObject({ state: 'present', added: 0 })
  expect(await importConversation(store, read('a', 'b'))).toMatchObject({
    state: 'extended',
    added: 1,
    after: { userMessages: 2 },
  })
  // The store already has an older copy, which is counted up to its end.
  expect(await importConversation(store, read('a'))).toMatchObject({
    state: 'present',
    after: { userMessages: 1 },
  })
  await store.close()
})

test('does not restore scrubbed values', async () => {
  const store = await openStore('memory:')
  await importConversation(store, read('a', 'my secret-value-123'))
  await store.scrub({ secret: 'secret-value-123' })
  const again = await importConversation(store, read('a', 'my secret-value-123', 'c'))
  expect(again).toMatchObject({ conversation: 'jp-17700000001', state: 'extended', added: 1 })
  expect(await store.search({ text: 'secret-value-123' })).toEqual([])
  await store.close()
})

test('another conversation under the same id gets another id, and keeps it in the next import', async () => {
  const store = await openStore('memory:')
  await importConversation(store, read('a', 'b'))
  const other = await importConversation(store, read('a', 'c'))
  expect(other.conversation).toMatch(/^jp-17700000001-[0-9a-f]{8}$/)
  const third = await importConversation(store, read('a', 'd'))
  expect(new Set([other.conversation, third.conversation]).size).toBe(2)
  expect(await importConversation(store, read('a', 'c'))).toMatchObject({
    conversation: other.conversation,
    state: 'present',
  })
  await store.close()
})

test('keeps the bytes of a record that is over its budget, and reports it', async () => {
  const store = await openStore('memory:')
  const deep = `{"timestamp": "2026-03-05 22:12:35.5", "type": "config_delta", "delta": {"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
  const text = `[${JSON.stringify(message('a'))}, ${deep}, ${JSON.stringify(message('b'))}]`
  const [conversation] = readConversations(getSource(text))
  if (!conversation) throw new Error('expected a conversation')
  expect(conversation.problems).toMatchObject([{ path: '/1', code: 'over-limit' }])
  const { problems, bytes, after } = await importConversation(store, conversation)
  expect([problems, after]).toEqual([[], conversation.before])
  expect(bytes).toBe(conversation.bytes)
  const { events } = await store.read('jp-17700000001')
  expect(events[1]?.event).toMatchObject({ value: { type: 'imported_record', record: {} } })
  await store.close()
})

test('a record for which no event exists is returned unchanged', async () => {
  const store = await openStore('memory:')
  const weather = { type: 'weather', degrees: 20 }
  const [conversation] = readConversations(getSource([message('a'), weather]))
  if (conversation) await importConversation(store, conversation)
  const { events } = await store.read('jp-17700000001')
  expect(events[1]?.event).toEqual({
    type: 'unknown',
    value: { type: 'imported_record', format: 'jp', record: weather },
  })
  await store.close()
})
