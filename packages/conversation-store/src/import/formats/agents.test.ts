import { expect, test } from 'vitest'
import { readConversations } from '../import-conversation.ts'
import { linesOf, sourceOf } from '../sources/source-of.suite.ts'

const timestamp = '2026-02-03T04:05:06.000Z'
const path = '/x/file.jsonl'

function read(records: readonly unknown[]) {
  const [conversation] = readConversations(sourceOf(linesOf(records), { path }))
  if (!conversation) throw new Error('expected a conversation')
  return { ...conversation, events: conversation.events.map(({ event }) => event) }
}

const line = (type: string, content: unknown, more: object = {}) => ({
  parentUuid: null,
  sessionId: 's',
  uuid: 'u',
  timestamp,
  type,
  message: { role: type, content },
  ...more,
})

test('Claude Code: what the program wrote in the place of a person is marked; a title is found', () => {
  const records = [
    line('user', 'Caveat: …', { isMeta: true }),
    { type: 'custom-title', customTitle: 'Lamps', sessionId: 's' },
    { type: 'file-history-snapshot', messageId: 'm', snapshot: {} },
  ]
  expect(read(records)).toMatchObject({
    id: 'claude-code-s',
    title: 'Lamps',
    events: [{ imported: { fields: { isMeta: true }, about: { title: 'Lamps' } } }, {}, {}],
    before: { userMessages: 1, unknown: 2 },
  })
})

test('Claude Code: an agent that a session starts is a conversation of its own', () => {
  expect(read([line('user', 'x', { isSidechain: true, agentId: 'a1' })])).toMatchObject({
    id: 'claude-code-s-a1',
  })
})

test('Claude Code: a record with text around a call is two messages', () => {
  const content = [
    { type: 'text', text: 'a' },
    { type: 'tool_use', id: 'c', name: 'x', input: {} },
    { type: 'text', text: 'b' },
  ]
  const { events, before } = read([line('assistant', content)])
  expect(events.map(({ type }) => type)).toEqual([
    'assistant_message',
    'tool_call',
    'assistant_message',
  ])
  expect(before).toMatchObject({ assistantMessages: 2, calls: 1 })
})

test('Codex: the first versions wrote items bare', () => {
  const records = [
    { id: 's-1', timestamp, instructions: null },
    { record_type: 'state' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    { type: 'local_shell_call', call_id: 'c', status: 'completed', action: { command: ['ls'] } },
    { type: 'function_call_output', call_id: 'c', output: '{"output":"a"}' },
  ]
  expect(read(records)).toMatchObject({
    format: 'codex',
    id: 'codex-s-1',
    before: { userMessages: 1, calls: 1, results: 1, unknown: 2 },
  })
})

test('Codex: the start of a session and the settings of a turn are configuration', () => {
  const records = [
    { timestamp, type: 'session_meta', payload: { id: 's', cwd: '/x' } },
    { timestamp, type: 'turn_context', payload: { model: 'm' } },
    {
      timestamp,
      type: 'response_item',
      payload: {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'be brief' }],
      },
    },
  ]
  expect(read(records).events).toMatchObject([
    { type: 'configuration', values: { cwd: '/x' } },
    { type: 'configuration', values: { model: 'm' } },
    { type: 'configuration', values: { role: 'developer' } },
  ])
})

test('Gemini CLI: a message that is told again tells only what is new', () => {
  const call = { id: 'c', name: 'x', args: {}, status: 'executing', timestamp }
  const message = { id: 'm', timestamp, type: 'gemini', content: 'I look.' }
  const answer = [{ functionResponse: { response: { output: 'a' } } }]
  const { events, before } = read([
    { sessionId: 's', projectHash: 'h' },
    { ...message, toolCalls: [call] },
    { ...message, toolCalls: [{ ...call, status: 'success', result: answer }] },
    { ...message, toolCalls: [{ ...call, status: 'success', result: answer }] },
    { $rewindTo: 'm' },
  ])
  expect(events.map(({ type }) => type)).toEqual([
    'imported_record',
    'assistant_message',
    'tool_call',
    'tool_result',
    'imported_record',
    'imported_record',
  ])
  expect(before).toMatchObject({
    assistantMessages: 1,
    calls: 1,
    results: 1,
    errors: 0,
    unknown: 3,
  })
})

test('pi: settings are configuration, details stay with results, the rest is kept', () => {
  const base = { id: '1', parentId: null, timestamp }
  const result = { role: 'toolResult', toolCallId: 'c', content: [], details: { a: 1 } }
  expect(
    read([
      { type: 'session', id: 's', timestamp },
      { ...base, type: 'model_change', modelId: 'm' },
      { ...base, type: 'message', message: result },
      { ...base, type: 'session_info', name: 'Lamps' },
    ]),
  ).toMatchObject({
    title: 'Lamps',
    events: [
      { type: 'imported_record' },
      { type: 'configuration', values: { modelId: 'm' } },
      { result: { id: 'c', _meta: { a: 1 }, isError: false } },
      { type: 'imported_record' },
    ],
  })
})
