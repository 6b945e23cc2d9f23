import { expect, test } from 'vitest'
import { FIXTURES, fileOf } from '../fixtures.suite.ts'
import type { ReadConversation } from '../read-conversation.ts'
import { readConversations } from '../read-conversations.ts'
import { openSource } from '../sources/source-files.ts'
import { linesOf, sourceOf } from '../sources/source-of.suite.ts'

function read(name: string): ReadConversation & { said: readonly unknown[] } {
  const fixture = FIXTURES.find((each) => each.name === name)
  const [conversation] = fixture ? readConversations(openSource(fileOf(fixture))) : []
  if (!conversation) throw new Error(`expected a conversation in ${name}`)
  return { ...conversation, said: conversation.events.map(({ event }) => event) }
}

const folder = '/home/user/lighthouse'

test('Qwen Code: calls without an id find their results, and what the program showed stands beside them', () => {
  const { id, said, before } = read('qwen-code/qwen-1.jsonl')
  expect(id).toBe('qwen-code-qwen-1')
  expect(said).toMatchObject([
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

test('Qwen Code: a call that was cancelled has a result that says so', () => {
  const line = (type: string, parts: object[], more: object = {}) => ({
    uuid: 'u',
    parentUuid: null,
    sessionId: 's',
    type,
    message: { role: 'user', parts },
    ...more,
  })
  const records = [
    line('assistant', [{ functionCall: { id: 'c', name: 'look', args: {} } }], { agentId: 'a' }),
    line('tool_result', [{ functionResponse: { id: 'c', name: 'look', response: {} } }], {
      toolCallResult: { status: 'cancelled' },
    }),
  ]
  const [conversation] = readConversations(sourceOf(linesOf(records), { path: '/x/a.jsonl' }))
  expect(conversation).toMatchObject({ format: 'qwen-code', id: 'qwen-code-s-a' })
  expect(conversation?.events[1]?.event).toMatchObject({
    result: { id: 'c', isError: true, metadata: { outcome: 'cancelled' } },
  })
})

test('Copilot CLI: a call stands where it started, or where it was asked for if it never did', () => {
  const { said, before } = read('copilot-cli/session-state/copilot-1/events.jsonl')
  expect(said).toMatchObject([
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

test('Copilot CLI: a session says its title and its model itself, and reasoning may stand alone', () => {
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
  const [conversation] = readConversations(sourceOf(linesOf(records), { path: '/x/events.jsonl' }))
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

test('Copilot CLI: the first versions kept messages as for OpenAI', () => {
  expect(read('copilot-cli/history-session-state/session_copilot-2.json')).toMatchObject({
    id: 'copilot-cli-copilot-2',
    said: [
      { type: 'user_message', imported: { about: { model: 'model-one', timeline: [{}, {}] } } },
      { type: 'assistant_message' },
      { call: { id: 'call-1', arguments: { path: 'lamps.txt' } } },
      { result: { id: 'call-1' } },
      { type: 'assistant_message' },
    ],
  })
})

const OPENCODE = [
  { content: [{ text: 'How many lamps are lit?' }, { type: 'image', mimeType: 'image/png' }] },
  {
    reasoning: 'The log has a line for each lamp.',
    model: 'model-one',
    usage: {
      inputTokens: 40,
      cachedInputTokens: 30,
      cacheWriteTokens: 0,
      outputTokens: 9,
      reasoningTokens: 3,
    },
    imported: {
      fields: { parts: [{ type: 'step-start' }, { type: 'patch' }, { type: 'step-finish' }] },
    },
  },
  { call: { id: 'call-1', name: 'read', arguments: { filePath: `${folder}/lamps.txt` } } },
  {
    result: { id: 'call-1', isError: false, content: [{ text: 'north lamp: lit' }] },
    imported: { fields: { title: 'lamps.txt', metadata: { preview: 'north lamp' } } },
  },
  { call: { id: 'call-2' } },
  { result: { id: 'call-2', isError: true, content: [{ text: 'bell: not found' }] } },
  { content: [{ text: 'One lamp is lit.' }] },
]

test.for([
  'opencode/storage/session/global/ses_1.json',
  'opencode/export/ses_2.json',
  'opencode-sqlite/opencode.sql',
])('%s says the same as opencode keeps it in its other ways', (name) => {
  const { id, said, events, title, problems } = read(name)
  expect(said).toMatchObject(OPENCODE)
  expect([id, title]).toEqual([
    expect.stringMatching(/^opencode(?:-sqlite)?-ses_[123]$/),
    'Count the lamps',
  ])
  expect(said[0]).toMatchObject({
    imported: {
      about: { folder, model: 'model-one', version: expect.stringMatching(/^1\.[12]\./) },
    },
  })
  expect(events[0]?.at).toBe('2026-02-03T04:05:01.000Z')
  expect(problems).toEqual([])
})

test('opencode: a part that is torn costs no other, and is said; names of folders are not followed', () => {
  const info = { id: 'ses_1', title: 't', version: '1', directory: '/w', time: { created: 1 } }
  const beside = {
    '../../message/ses_1/msg_1.json': { id: 'msg_1', role: 'user' },
    '../../part/msg_1/prt_1.json': { type: 'text', text: 'Hello.' },
    '../../part/msg_1/prt_2.json': 'torn',
  }
  const source = sourceOf(JSON.stringify(info, null, 2), { path: '/x/ses_1.json', beside })
  const [conversation] = readConversations(source)
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { type: 'user_message', content: [{ text: 'Hello.' }] },
  ])
  expect(conversation?.problems).toMatchObject([{ code: 'torn-record' }])
  const stranger = { ...info, id: '../ses_1' }
  const [other] = readConversations(
    sourceOf(JSON.stringify(stranger, null, 2), { path: '/x/a.json', beside }),
  )
  expect(other?.events).toEqual([])
})

test('opencode: what came with a result stands in it, and a call that runs has none', () => {
  const file = {
    type: 'file',
    mime: 'text/plain',
    filename: 'a.txt',
    url: 'data:text/plain;base64,YQ==',
  }
  const tool = (callID: string, state: object) => ({ type: 'tool', tool: 'look', callID, state })
  const session = {
    info: { id: 'ses_1', title: 't', version: '1', directory: '/w', time: { created: 1 } },
    messages: [
      {
        info: { id: 'msg_1', role: 'assistant' },
        parts: [
          tool('c', { status: 'completed', input: {}, output: 'seen', attachments: [file] }),
          tool('d', { status: 'running', input: { at: 'a' }, title: 'Looking' }),
        ],
      },
    ],
  }
  const [conversation] = readConversations(
    sourceOf(JSON.stringify(session), { path: '/x/session.json' }),
  )
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { call: { id: 'c' } },
    {
      result: {
        id: 'c',
        content: [
          { text: 'seen' },
          { type: 'resource', resource: { uri: 'a.txt', mimeType: 'text/plain', blob: 'YQ==' } },
        ],
      },
    },
    { call: { id: 'd', arguments: { at: 'a' } }, imported: { fields: { title: 'Looking' } } },
  ])
})

test('Cline: what a request took stands in the notes, where a message does not have it itself', () => {
  const { id, title, said } = read('cline/tasks/1770091500000/api_conversation_history.json')
  expect([id, title]).toEqual(['cline-1770091500000', 'How many lamps are lit?'])
  expect(said).toMatchObject([
    { type: 'user_message', imported: { about: { folder, model: 'model-one' } } },
    { usage: { inputTokens: 40, cachedInputTokens: 30, outputTokens: 9 } },
    { call: { id: 'toolu_1' } },
    { result: { id: 'toolu_1' } },
    { usage: { inputTokens: 47, cachedInputTokens: 40, cacheWriteTokens: 2, outputTokens: 6 } },
  ])
})

test('Roo Code: a task has its folder and its title beside it', () => {
  expect(read('cline/roo/019c/api_conversation_history.json')).toMatchObject({
    id: 'cline-019c',
    title: 'Count the lamps',
    said: [
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
])('Cline: messages are known by %s', ([, records]) => {
  const [conversation] = readConversations(
    sourceOf(JSON.stringify(records), { path: '/x/7/messages.json' }),
  )
  expect(conversation).toMatchObject({ format: 'cline', id: 'cline-7', before: { unknown: 0 } })
})

test('Cline: plain messages for Anthropic are none of its', () => {
  const records = [{ role: 'user', content: [{ type: 'text', text: 'Light it.' }] }]
  const [conversation] = readConversations(sourceOf(JSON.stringify(records), { path: '/x/a.json' }))
  expect(conversation?.format).toBe('openai')
})

test('Cline: a message has its own time, and what OpenAI counts has what a cache had in it', () => {
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
    sourceOf(JSON.stringify(records), { path: '/x/1/api.json', beside }),
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

test('Cline: a note of a tool or a server is a call of what it names', () => {
  const note = (ts: number, ask: string, given: object) => ({
    ts,
    type: 'ask',
    ask,
    text: JSON.stringify(given),
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
    sourceOf(JSON.stringify(records), { path: '/x/1/ui_messages.json' }),
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

test('Cline: notes are read where there are no messages beside them', () => {
  const { said, before } = read('cline/notes/1770091600000/ui_messages.json')
  const call = 'call-1770091603000'
  expect(said).toMatchObject([
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

test('Cursor: sections of an export are messages, and a rule in one is none', () => {
  const { id, title, said, events } = read('cursor/export/count_the_lamps.md')
  expect([id, title]).toEqual(['cursor-count_the_lamps', 'Count the lamps'])
  expect(said).toMatchObject([
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

test('Cursor: other files of Markdown hold no conversation, whatever stands in them', () => {
  const example = '# How to\n\n{"role":"user","content":"hi"}\n'
  expect(readConversations(sourceOf(example, { path: '/x/README.md' }))).toEqual([])
  expect(
    readConversations(sourceOf('# \n_Exported on a from Cursor (1)_\n', { path: '/x/a.md' })),
  ).toMatchObject([{ events: [] }])
})

test('Cursor: calls of a transcript are numbered', () => {
  expect(
    read('cursor/projects/home-user-lighthouse/agent-transcripts/cursor-1/cursor-1.jsonl').said,
  ).toMatchObject([
    { type: 'user_message' },
    { content: [{ text: 'I look at the log.' }] },
    { call: { id: 'call-1', name: 'Shell', arguments: { command: 'cat lamps.txt' } } },
    { type: 'assistant_message' },
    { type: 'imported_record' },
  ])
})

test('Codex: searches, pictures and what the shell ran are calls with results', () => {
  const { said, before } = read('codex/rollout-2026-02-03T04-05-00-0001.jsonl')
  expect(said).toMatchObject(
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

test('Copilot CLI: a message whose calls start later has what it took, and says nothing', () => {
  const line = (type: string, data: object) => ({ type, data, id: 'e', parentId: null })
  const call = { toolCallId: 'c', name: 'look', arguments: { at: 'a' } }
  const records = [
    line('session.start', { sessionId: 's' }),
    line('assistant.message', { content: '', toolRequests: [call], model: 'm', outputTokens: 3 }),
    line('tool.execution_start', { toolCallId: 'c', toolName: 'look', arguments: { at: 'a' } }),
  ]
  const [conversation] = readConversations(sourceOf(linesOf(records), { path: '/x/events.jsonl' }))
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { type: 'configuration' },
    { type: 'assistant_message', content: [], model: 'm', usage: { outputTokens: 3 } },
    { call: { id: 'c' } },
  ])
  expect(conversation?.before).toMatchObject({ assistantMessages: 0, calls: 1, unknown: 0 })
})

test('opencode: parts lie under the id of their message, and one that was broken off is a message too', () => {
  const info = { id: 'ses_1', title: 't', version: '1', directory: '/w', time: { created: 1 } }
  const error = { name: 'MessageAbortedError', data: { message: 'stopped' } }
  const beside = {
    '../../message/ses_1/1.json': { id: 'msg_1', role: 'user' },
    '../../message/ses_1/2.json': {
      id: 'msg_2',
      role: 'assistant',
      model: { modelID: 'm' },
      error,
    },
    '../../part/msg_1/prt_1.json': { type: 'text', text: 'Hello.' },
  }
  const [conversation] = readConversations(
    sourceOf(JSON.stringify(info), { path: '/x/ses_1.json', beside }),
  )
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { type: 'user_message', content: [{ text: 'Hello.' }] },
    { type: 'assistant_message', content: [], model: 'm', imported: { fields: { error } } },
  ])
})

test('what only adds to a session, and cannot be read, costs nothing of it', () => {
  const records = [{ type: 'session.start', data: { sessionId: 's' } }]
  const source = sourceOf(linesOf(records), { path: '/x/events.jsonl' })
  const beside = (): never => {
    throw new Error('expected a regular file')
  }
  const [conversation] = readConversations({ ...source, beside })
  expect(conversation).toMatchObject({ id: 'copilot-cli-s', before: { configurations: 1 } })
})
