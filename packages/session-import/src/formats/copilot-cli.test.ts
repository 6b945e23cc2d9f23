import { expect, test } from 'vitest'
import { readFixture } from '../fixtures.support.ts'
import { readConversations } from '../import-conversation.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'

const folder = '/home/user/lighthouse'

test('Copilot CLI: a call is where it started, or where it was requested if it never started', () => {
  const { plainEvents, before } = readFixture('copilot-cli/session-state/copilot-1/events.jsonl')
  expect(plainEvents).toMatchObject([
    {
      type: 'configuration',
      imported: {
        about: {
          title: 'Count the lamps',
          folder,
          model: 'model-one',
          gitBranch: 'trunk',
          version: '1.0.5',
        },
      },
    },
    { type: 'configuration', values: { content: 'Keep the lighthouse.' } },
    {
      content: [{ text: 'How many lamps are lit?' }, { type: 'resource_link', name: 'lamps.txt' }],
    },
    { type: 'imported_record' },
    {
      content: [{ text: 'I look at the log.' }],
      reasoning: 'The log has a line for each lamp.',
      model: 'model-one',
      usage: { outputTokens: 21 },
    },
    { call: { id: 'call-1', name: 'view', arguments: { path: 'lamps.txt' } } },
    { result: { id: 'call-1', isError: false, content: [{ text: 'north lamp: lit' }] } },
    { call: { id: 'call-2' } },
    { result: { id: 'call-2', isError: true, content: [{ text: 'bell: not found' }] } },
    { content: [{ text: 'One lamp is lit.' }] },
    { call: { id: 'call-3', arguments: { text: 'never started' } } },
    { type: 'imported_record' },
    { type: 'configuration', values: { newModel: 'model-two' } },
    { type: 'imported_record' },
    { type: 'imported_record' },
  ])
  expect(before).toMatchObject({ calls: 3, results: 2, errors: 1, unknown: 4 })
})

test('Copilot CLI: a session contains its title and its model, and reasoning without text', () => {
  const line = (type: string, data: object) => ({ type, data, id: 'e', parentId: null })
  const records = [
    line('session.start', { sessionId: 's', selectedModel: 'm-1' }),
    line('session.title_changed', { title: 'Old' }),
    line('session.title_changed', { title: 'Lamps' }),
    line('assistant.reasoning', { content: 'hm', reasoningId: 'r' }),
    line('user.message', {
      content: 'Look.',
      attachments: [{ type: 'blob', data: 'AA==', mimeType: 'image/png' }],
    }),
    line('tool.execution_complete', {
      toolCallId: 'c',
      success: true,
      result: {
        content: 'seen',
        structuredContent: { lamps: 2 },
        binaryResultsForLlm: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }],
      },
    }),
  ]
  const [conversation] = readConversations(
    getSource(getLines(records), { path: '/x/events.jsonl' }),
  )
  expect(conversation?.title).toBe('Lamps')
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { imported: { about: { title: 'Lamps', model: 'm-1' } } },
    { type: 'imported_record' },
    { type: 'imported_record' },
    { type: 'assistant_message', reasoning: 'hm' },
    { content: [{ text: 'Look.' }, { type: 'image', mimeType: 'image/png' }] },
    {
      result: {
        content: [{ text: 'seen' }, { type: 'image' }],
        structuredContent: { lamps: 2 },
      },
    },
  ])
})

test('Copilot CLI: reads the messages of the first versions like those for OpenAI', () => {
  expect(readFixture('copilot-cli/history-session-state/session_copilot-2.json')).toMatchObject({
    id: 'copilot-cli-copilot-2',
    plainEvents: [
      { type: 'user_message', imported: { about: { model: 'model-one', timeline: [{}, {}] } } },
      { type: 'assistant_message' },
      { call: { id: 'call-1', arguments: { path: 'lamps.txt' } } },
      { result: { id: 'call-1' } },
      { type: 'assistant_message' },
    ],
  })
})

test('Copilot CLI: a message whose calls start later has token usage but no content', () => {
  const line = (type: string, data: object) => ({ type, data, id: 'e', parentId: null })
  const call = { toolCallId: 'c', name: 'look', arguments: { at: 'a' } }
  const records = [
    line('session.start', { sessionId: 's' }),
    line('assistant.message', { content: '', toolRequests: [call], model: 'm', outputTokens: 3 }),
    line('tool.execution_start', { toolCallId: 'c', toolName: 'look', arguments: { at: 'a' } }),
  ]
  const [conversation] = readConversations(
    getSource(getLines(records), { path: '/x/events.jsonl' }),
  )
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { type: 'configuration' },
    { type: 'assistant_message', content: [], model: 'm', usage: { outputTokens: 3 } },
    { call: { id: 'c' } },
  ])
  expect(conversation?.before).toMatchObject({ assistantMessages: 0, calls: 1, unknown: 0 })
})

test('reads a session completely if an optional file beside it cannot be read', () => {
  const records = [{ type: 'session.start', data: { sessionId: 's' } }]
  const source = getSource(getLines(records), { path: '/x/events.jsonl' })
  const beside = (): never => {
    throw new Error('expected a regular file')
  }
  const [conversation] = readConversations({ ...source, beside })
  expect(conversation).toMatchObject({ id: 'copilot-cli-s', before: { configurations: 1 } })
})
