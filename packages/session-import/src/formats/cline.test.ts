import { expect, test } from 'vitest'
import { readFixture } from '../fixtures.support.ts'
import { readConversations } from '../import-conversation.ts'
import { getSource } from '../sources/make-source.support.ts'

const folder = '/home/user/lighthouse'

test('Cline: reads the token usage of a request from the notes if its message does not have it', () => {
  const { id, title, plainEvents } = readFixture(
    'cline/tasks/1770091500000/api_conversation_history.json',
  )
  expect([id, title]).toEqual(['cline-1770091500000', 'How many lamps are lit?'])
  expect(plainEvents).toMatchObject([
    { type: 'user_message', imported: { about: { folder, model: 'model-one' } } },
    { usage: { inputTokens: 40, cachedInputTokens: 30, outputTokens: 9 } },
    { call: { id: 'toolu_1' } },
    { result: { id: 'toolu_1' } },
    { usage: { inputTokens: 47, cachedInputTokens: 40, cacheWriteTokens: 2, outputTokens: 6 } },
  ])
})

test('Roo Code: reads the folder and the title of a task from the file beside it', () => {
  expect(readFixture('cline/roo/019c/api_conversation_history.json')).toMatchObject({
    id: 'cline-019c',
    title: 'Count the lamps',
    plainEvents: [
      { imported: { about: { folder } } },
      { reasoning: 'The log has a line for each lamp.' },
      { type: 'user_message' },
      { imported: { fields: { isSummary: true } } },
    ],
  })
})

test.for<[string, readonly object[]]>([
  ['a task in its tag', [{ role: 'user', content: [{ text: '<task>\nLight it.\n</task>' }] }]],
  ['a place in its tag', [{ role: 'user', content: [{ text: '<environment_details>x' }] }]],
  ['who answered', [{ role: 'assistant', content: 'hi', modelInfo: { modelId: 'm' } }]],
  ['times', [{ role: 'user', content: 'hi', ts: 1 }]],
  [
    'an item of reasoning',
    [
      { type: 'reasoning', text: 'hm' },
      { role: 'user', content: 'a', ts: 1 },
    ],
  ],
])('Cline: recognizes messages by %s', ([, records]) => {
  const [conversation] = readConversations(
    getSource(JSON.stringify(records), { path: '/x/7/messages.json' }),
  )
  expect(conversation).toMatchObject({ format: 'cline', id: 'cline-7', before: { unknown: 0 } })
})

test('Cline: does not recognize plain messages for Anthropic', () => {
  const records = [{ role: 'user', content: [{ type: 'text', text: 'Light it.' }] }]
  const [conversation] = readConversations(
    getSource(JSON.stringify(records), { path: '/x/a.json' }),
  )
  expect(conversation?.format).toBe('openai')
})

test('Cline: a message has its own time, and the counts of OpenAI include cached tokens', () => {
  const note = {
    ts: 1770091501000,
    type: 'say',
    say: 'api_req_started',
    apiProtocol: 'openai',
    text: '{"tokensIn":40,"tokensOut":9,"cacheReads":30}',
  }
  const records = [
    { role: 'user', content: 'hi', ts: 1770091500000 },
    { role: 'assistant', content: 'hello', reasoning_content: 'hm', ts: 1770091502000 },
  ]
  const beside = { 'ui_messages.json': [note] }
  const [conversation] = readConversations(
    getSource(JSON.stringify(records), { path: '/x/1/api.json', beside }),
  )
  expect(conversation?.title).toBe('hi')
  expect(conversation?.events).toMatchObject([
    { at: '2026-02-03T04:05:00.000Z' },
    {
      at: '2026-02-03T04:05:02.000Z',
      event: {
        reasoning: 'hm',
        usage: { inputTokens: 40, cachedInputTokens: 30, outputTokens: 9 },
      },
    },
  ])
})

test('Cline: a note of a tool or a server is a call of the tool it names', () => {
  const note = (ts: number, ask: string, content: object) => ({
    ts,
    type: 'ask',
    ask,
    text: JSON.stringify(content),
  })
  const records = [
    { ts: 1, type: 'say', say: 'text', text: 'Light it.' },
    note(2, 'use_mcp_server', { serverName: 'lamps', toolName: 'light', arguments: '{}' }),
    { ts: 3, type: 'say', say: 'mcp_server_response', text: 'lit' },
    note(4, 'browser_action', { action: 'click' }),
    { ts: 5, type: 'say', say: 'browser_action_result', text: 'clicked' },
    note(6, 'tool', {}),
  ]
  const [conversation] = readConversations(
    getSource(JSON.stringify(records), { path: '/x/1/ui_messages.json' }),
  )
  expect(conversation?.title).toBe('Light it.')
  expect(conversation?.events.slice(1).map(({ event }) => event)).toMatchObject([
    { call: { id: 'call-2', name: 'light' } },
    { result: { id: 'call-2', content: [{ text: 'lit' }] } },
    { call: { id: 'call-4', name: 'click' } },
    { result: { id: 'call-4', content: [{ text: 'clicked' }] } },
    { call: { id: 'call-6', name: 'tool' } },
  ])
})

test('Cline: reads the notes if there are no messages beside them', () => {
  const { plainEvents, before } = readFixture('cline/notes/1770091600000/ui_messages.json')
  const call = 'call-1770091603000'
  expect(plainEvents).toMatchObject([
    { content: [{ text: 'How many lamps are lit?' }, { type: 'image' }] },
    { type: 'imported_record' },
    { reasoning: 'The log has a line for each lamp.', usage: { inputTokens: 45, outputTokens: 9 } },
    { call: { id: call, name: 'command', arguments: { command: 'cat lamps.txt' } } },
    { result: { id: call, content: [{ text: 'north lamp: lit' }] } },
    { call: { name: 'editedExistingFile', arguments: { path: 'lamps.txt' } } },
    { type: 'user_message' },
    { type: 'assistant_message', content: [{ text: 'One lamp is lit.' }] },
    { type: 'imported_record' },
  ])
  expect(before).toMatchObject({ userMessages: 2, calls: 2, results: 1, unknown: 2 })
})
