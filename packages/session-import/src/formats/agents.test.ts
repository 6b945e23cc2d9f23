import { expect, test } from 'vitest'
import { readFixture } from '../fixtures.support.ts'
import { readConversations } from '../import-conversation.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'

const timestamp = '2026-02-03T04:05:06.000Z'

const path = '/x/file.jsonl'

function read(records: readonly unknown[]) {
  const [conversation] = readConversations(getSource(getLines(records), { path }))
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

test('Claude Code: marks messages that the program wrote in the name of a person, and finds a title', () => {
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

test('Claude Code: an agent that a session starts is a separate conversation', () => {
  expect(read([line('user', 'x', { isSidechain: true, agentId: 'a1' })])).toMatchObject({
    id: 'claude-code-s-a1',
  })
})

test('Claude Code: a record with text around a call gives two messages', () => {
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

test('Codex: reads the plain items of the first versions', () => {
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

test('Gemini CLI: the last version of a repeated message counts', () => {
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
    'imported_record',
    'imported_record',
    'assistant_message',
    'tool_call',
    'tool_result',
    'rewind',
    'imported_record',
  ])
  expect(before).toMatchObject({
    assistantMessages: 1,
    calls: 1,
    results: 1,
    errors: 0,
    unknown: 4,
  })
})

test('pi: settings are configuration, details stay with results, everything else is kept', () => {
  const base = { id: '1', parentId: null, timestamp }
  const result = { role: 'toolResult', toolCallId: 'c', content: [], details: { a: 1 } }
  expect(
    read([
      { type: 'session', id: 's', timestamp },
      { ...base, type: 'model_change', modelId: 'm' },
      { ...base, id: '2', type: 'message', message: result },
      { ...base, id: '3', type: 'session_info', name: 'Lamps' },
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

test('Codex: searches, pictures and shell commands are calls with results', () => {
  const { plainEvents, before } = readFixture('codex/rollout-2026-02-03T04-05-00-0001.jsonl')
  expect(plainEvents).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        call: { id: 'search-1', name: 'tool_search', arguments: { query: 'read a log', limit: 1 } },
      }),
      expect.objectContaining({
        result: expect.objectContaining({ id: 'search-1' }),
      }),
      expect.objectContaining({
        call: expect.objectContaining({ id: 'web_search', name: 'web_search' }),
      }),
      expect.objectContaining({ result: { id: 'web_search', content: [], isError: false } }),
      expect.objectContaining({
        call: {
          id: 'ig_1',
          name: 'image_generation',
          arguments: { input: 'a lighthouse at night' },
        },
      }),
      expect.objectContaining({
        result: expect.objectContaining({
          id: 'ig_1',
          content: [expect.objectContaining({ type: 'image' })],
        }),
      }),
      expect.objectContaining({
        type: 'assistant_message',
        content: [expect.objectContaining({ text: 'Both lamps are lit.' })],
        usage: expect.objectContaining({ inputTokens: 60, outputTokens: 8 }),
      }),
    ]),
  )
  expect(before).toMatchObject({ calls: 6, results: 6, unknown: 7 })
})

test('Cursor: sections of an export are messages, and a rule inside one does not split it', () => {
  const { id, title, plainEvents, events } = readFixture('cursor/export/count_the_lamps.md')
  expect([id, title]).toEqual(['cursor-count_the_lamps', 'Count the lamps'])
  expect(plainEvents).toMatchObject([
    {
      content: [{ text: 'How many lamps are lit?' }],
      imported: { about: { version: '2.4.21', exported: '2/3/2026 at 04:05:09 GMT+1' } },
    },
    {
      content: [
        { text: expect.stringContaining('---\nsouth lamp: dark\n```\n\nOne lamp is lit – ') },
      ],
    },
    { content: [{ text: 'Thank you.' }] },
    { content: [{ text: 'You are welcome.' }] },
  ])
  expect(Buffer.from(events[2]?.original ?? []).toString()).toBe(
    '---\n\n**User**\n\nThank you.\n\n',
  )
})

test('Cursor: other Markdown files contain no conversation, whatever their text is', () => {
  const example = '# How to\n\n{"role":"user","content":"hi"}\n'
  expect(readConversations(getSource(example, { path: '/x/README.md' }))).toEqual([])
  expect(
    readConversations(getSource('# \n_Exported on a from Cursor (1)_\n', { path: '/x/a.md' })),
  ).toMatchObject([{ events: [] }])
})

test('Cursor: numbers the calls of a transcript', () => {
  expect(
    readFixture('cursor/projects/home-user-lighthouse/agent-transcripts/cursor-1/cursor-1.jsonl')
      .plainEvents,
  ).toMatchObject([
    { type: 'user_message' },
    { content: [{ text: 'I look at the log.' }] },
    { call: { id: 'call-1', name: 'Shell', arguments: { command: 'cat lamps.txt' } } },
    { type: 'assistant_message' },
    { type: 'imported_record' },
  ])
})

const folder = '/home/user/lighthouse'

test('Qwen Code: pairs calls without an id with their results, and keeps what the program showed', () => {
  const { id, plainEvents, before } = readFixture('qwen-code/qwen-1.jsonl')
  expect(id).toBe('qwen-code-qwen-1')
  expect(plainEvents).toMatchObject([
    {
      imported: {
        about: {
          title: 'Count the lamps',
          folder,
          model: 'model-one',
          gitBranch: 'trunk',
          version: '0.9.0',
        },
        fields: { uuid: 'uuid-1', cwd: folder },
      },
    },
    {
      content: [{ text: 'I look at the log.' }],
      reasoning: 'The log has a line for each lamp.',
      model: 'model-one',
      usage: { inputTokens: 30, cachedInputTokens: 10, outputTokens: 7, reasoningTokens: 2 },
    },
    { call: { id: 'call-1', name: 'read_file', arguments: { path: 'lamps.txt' } } },
    {
      result: { id: 'call-1', isError: false },
      imported: { fields: { resultDisplay: 'Read one line of lamps.txt' } },
    },
    { content: [], usage: { inputTokens: 40, outputTokens: 3 } },
    { call: { id: 'run_shell_command-2' } },
    { result: { id: 'run_shell_command-2', isError: true } },
    { content: [{ text: 'One lamp is lit.' }] },
    { type: 'imported_record' },
    { type: 'imported_record' },
  ])
  expect(before).toMatchObject({ calls: 2, results: 2, errors: 1, unknown: 2 })
})

test('Qwen Code: a cancelled call has a result with that reason', () => {
  const record = (type: string, parts: object[], more: object = {}) => ({
    uuid: `u-${type}`,
    parentUuid: null,
    sessionId: 's',
    type,
    message: { role: 'user', parts },
    ...more,
  })
  const records = [
    record('assistant', [{ functionCall: { id: 'c', name: 'look', args: {} } }], { agentId: 'a' }),
    record('tool_result', [{ functionResponse: { id: 'c', name: 'look', response: {} } }], {
      toolCallResult: { status: 'cancelled' },
    }),
  ]
  const [conversation] = readConversations(getSource(getLines(records), { path: '/x/a.jsonl' }))
  expect(conversation).toMatchObject({ format: 'qwen-code', id: 'qwen-code-s-a' })
  expect(conversation?.events[1]?.event).toMatchObject({
    result: { id: 'c', isError: true, metadata: { outcome: 'cancelled' } },
  })
})
