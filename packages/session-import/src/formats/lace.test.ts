import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { detectFormat, readConversations } from '../import-conversation.ts'
import { getLines, getSource } from '../sources/make-source.support.ts'
import { openSource } from '../sources/source.ts'
import { getTime, readOne, text, whole } from '../complete-conversation.support.ts'

type Row = readonly [type: string, data: unknown]

/** Writes a database as Lace did. With `log`, leaves the write-ahead log that a killed process leaves. */
function writeDatabase(rows: readonly Row[], { log = false } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-lace-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'lace.db')
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE threads (id TEXT PRIMARY KEY, created_at TEXT, updated_at TEXT);
    CREATE TABLE events (id TEXT PRIMARY KEY, thread_id TEXT, type TEXT, timestamp TEXT, data JSONB);
    INSERT INTO threads VALUES ('lace_20250705_abc123', '2025-07-05T00:00:00.000Z', '2025-07-05T00:00:00.000Z')`)
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
  for (const [index, [type, data]] of rows.entries()) {
    const json = typeof data === 'string' && data.startsWith('{') ? data : JSON.stringify(data)
    insert.run(`evt_${index}`, 'lace_20250705_abc123', type, '2025-07-05T00:00:01.000Z', json)
  }
  if (log) onTestFinished(() => database.close())
  else database.close()
  return file
}

const rows: readonly Row[] = [
  ['SYSTEM_PROMPT', 'You are Lace.'],
  ['USER_MESSAGE', 'hi'],
  ['AGENT_MESSAGE', 'hello'],
  ['TOOL_CALL', { toolName: 'bash', input: { command: 'ls' }, callId: 'c0' }],
  ['TOOL_RESULT', { callId: 'c0', output: 'a', success: true }],
  ['TOOL_CALL', { id: 'c1', name: 'file_read', arguments: { path: 'x' } }],
  ['TOOL_RESULT', { content: [text('gone')], isError: true, id: 'c1' }],
  [
    'AGENT_MESSAGE',
    { content: 'again', tokenUsage: { promptTokens: 2, completionTokens: 1, totalTokens: 3 } },
  ],
  ['TOOL_CALL', { id: 'c2', name: 'bash', arguments: '{"command":"x"}' }],
  ['TOOL_APPROVAL_RESPONSE', { toolCallId: 'c2', decision: 'deny' }],
  ['TOOL_RESULT', { content: [text('denied')], status: 'denied', id: 'c2', metadata: { a: 1 } }],
  ['COMPACTION', { strategyId: 's', originalEventCount: 2 }],
  ['TOOL_CALL', 'malformed'],
]

test.for([false, true])('reads a database with its three generations, log: %s', (log) => {
  const file = writeDatabase(rows, { log })
  const [conversation, ...others] = readConversations(openSource(file))
  expect(others).toEqual([])
  expect(conversation).toMatchObject({ format: 'lace-sqlite', id: 'lace-lace_20250705_abc123' })
  expect(conversation?.before).toMatchObject({
    calls: 3,
    results: 3,
    errors: 2,
    unknown: 2,
    configurations: 1,
  })
  expect(conversation?.events.map(({ event }) => event)).toMatchObject([
    { type: 'configuration', values: { systemPrompt: 'You are Lace.' } },
    { type: 'user_message', content: [text('hi')] },
    { type: 'assistant_message', content: [text('hello')] },
    { type: 'tool_call', call: { id: 'c0', name: 'bash', arguments: { command: 'ls' } } },
    { type: 'tool_result', result: { id: 'c0', content: [text('a')], isError: false } },
    { type: 'tool_call', call: { id: 'c1', name: 'file_read', arguments: { path: 'x' } } },
    { type: 'tool_result', result: { id: 'c1', content: [text('gone')], isError: true } },
    {
      content: [text('again')],
      usage: { inputTokens: 2, outputTokens: 1 },
      imported: { fields: { tokenUsage: { totalTokens: 3 } } },
    },
    { type: 'tool_call', call: { id: 'c2', arguments: { command: 'x' } } },
    { type: 'approval', callId: 'c2', decision: 'denied' },
    { result: { isError: true, metadata: { outcome: 'denied' }, _meta: { a: 1 } } },
    { type: 'imported_record', record: { type: 'COMPACTION' } },
    { type: 'imported_record', record: { data: '"malformed"' } },
  ])
})

test('reading changes neither a database nor its folder', () => {
  const file = writeDatabase(rows, { log: true })
  const folder = join(file, '..')
  const state = () =>
    readdirSync(folder).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ])
  const before = state()
  readConversations(openSource(file))
  expect(state()).toEqual(before)
})

const event = (eventSeq: number, type: string, data: unknown) => ({
  eventSeq,
  timestamp: '2026-01-05T00:00:00.000Z',
  turnId: 't',
  turnSeq: 1,
  type,
  data,
})

test('reads a log in the order of its numbers', () => {
  const result = { outcome: 'cancelled', content: [text('half')], meta: { m: 1 } }
  const records = [
    event(1, 'turn_start', {}),
    event(3, 'message', { content: 'I look.', thinkingBlocks: [{ thinking: 'hm' }] }),
    event(2, 'prompt', { content: [text('look')] }),
    event(4, 'tool_use', { toolCallId: 'c', name: 'bash', kind: 'execute', input: {}, result }),
    event(5, 'tool_use', { toolCallId: 'd', name: 'bash', input: {} }),
    event(6, 'permission_decided', { toolCallId: 'd', decision: 'allow', updatedInput: { a: 1 } }),
    event(7, 'job_started', { jobId: 'j' }),
  ]
  const source = getSource(getLines(records), { path: '/x/sess_1/events.jsonl' })
  expect(detectFormat(source)).toBe('lace')
  const [conversation] = readConversations(source)
  expect(conversation).toMatchObject({ id: 'lace-sess_1' })
  expect(conversation?.events.map(({ event: read }) => read)).toMatchObject([
    { type: 'turn_start', turn: 1 },
    { type: 'user_message', content: [text('look')] },
    { type: 'assistant_message', content: [text('I look.')], reasoning: 'hm' },
    { type: 'tool_call', call: { id: 'c' }, imported: { fields: { kind: 'execute' } } },
    { result: { id: 'c', isError: true, metadata: { outcome: 'cancelled' }, _meta: { m: 1 } } },
    { type: 'tool_call', call: { id: 'd' } },
    { type: 'approval', decision: 'allowed', arguments: { a: 1 } },
    { type: 'imported_record', record: { type: 'job_started' } },
  ])
})

test('Lace: reads every known field of a record', () => {
  const line = (eventSeq: number, type: string, data: object) => ({
    eventSeq,
    timestamp: getTime(eventSeq),
    type,
    data,
  })
  const thinkingBlocks = [{ thinking: 'hm', text: 'other' }, { text: 'so' }, { thinking: '' }]
  const records = [
    line(1, 'turn_start', {}),
    line(2, 'message', { content: 'I look.', thinkingBlocks }),
    line(3, 'tool_use', {
      toolCallId: 'c',
      name: 'look',
      input: { at: 'a' },
      kind: 'read',
      result: { content: [text('gone')], outcome: 'failed', meta: { exit: 1 } },
    }),
    line(4, 'system_prompt_set', { text: 'Be brief.' }),
    line(5, 'permission_decided', {
      toolCallId: 'c',
      decision: 'allow_once',
      updatedInput: { a: 1 },
    }),
    line(6, 'permission_decided', { toolCallId: 'd', decision: 'deny' }),
  ]
  const path = '/x/sess_1/events.jsonl'
  expect(whole(readOne(getLines(records), path))).toEqual({
    source: path,
    format: 'lace',
    id: 'lace-sess_1',
    title: undefined,
    events: [
      [getTime(1), { type: 'turn_start', turn: 1 }, records[0]],
      [
        getTime(2),
        {
          type: 'assistant_message',
          content: [text('I look.')],
          reasoning: 'hm\n\nso',
          _meta: { thinkingBlocks },
        },
        records[1],
      ],
      [
        getTime(3),
        {
          type: 'tool_call',
          call: { id: 'c', name: 'look', arguments: { at: 'a' } },
          imported: { fields: { kind: 'read' } },
        },
        records[2],
      ],
      [
        getTime(3),
        {
          type: 'tool_result',
          result: {
            id: 'c',
            content: [text('gone')],
            isError: true,
            _meta: { exit: 1 },
            metadata: { outcome: 'failed' },
          },
        },
        undefined,
      ],
      [getTime(4), { type: 'configuration', values: { text: 'Be brief.' } }, records[3]],
      [
        getTime(5),
        { type: 'approval', callId: 'c', decision: 'allowed', by: 'user', arguments: { a: 1 } },
        records[4],
      ],
      [getTime(6), { type: 'approval', callId: 'd', decision: 'denied', by: 'user' }, records[5]],
    ],
    problems: [],
  })
})

test('a database of Lace: reads every known column and field', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-lace-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'lace.db')
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY, created_at TEXT, picture BLOB);
    CREATE TABLE events (id TEXT PRIMARY KEY, thread_id TEXT, type TEXT, timestamp TEXT, data JSONB);
    INSERT INTO threads VALUES ('t1', '2025-07-05', x'0001'), ('t2', '2025-07-06', NULL)`)
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
  const stored = [
    ['e1', 't1', 'USER_SYSTEM_PROMPT', getTime(1), '"Be brief."'],
    ['e2', 't1', 'AGENT_MESSAGE', getTime(2), '{"content":"I look.","cost":3}'],
    [
      'e3',
      't1',
      'TOOL_CALL',
      getTime(3),
      '{"id":"c","name":"look","arguments":{"at":"a"},"icon":"x"}',
    ],
    [
      'e4',
      't1',
      'TOOL_RESULT',
      getTime(4),
      '{"id":"c","content":[],"isError":true,"isPending":true}',
    ],
    [
      'e5',
      't1',
      'TOOL_APPROVAL_RESPONSE',
      getTime(5),
      '{"toolCallId":"c","decision":"allow_session"}',
    ],
    ['e6', 't2', 'USER_MESSAGE', null, '"Look."'],
    ['e7', 't2', 'USER_MESSAGE', getTime(7), '"Again."'],
  ]
  for (const row of stored) insert.run(...row)
  database.close()
  const source = openSource(file)
  const [one, two] = readConversations(source).map(whole)
  const makeRecord = (index: number) => {
    const [id, thread_id, type, timestamp, data] = stored[index] ?? []
    return { id, thread_id, type, timestamp, data }
  }
  const thread = { id: 't1', created_at: '2025-07-05', picture: 'AAE=' }
  const events = [
    {
      type: 'configuration',
      values: { userSystemPrompt: 'Be brief.' },
      imported: { about: { thread } },
    },
    {
      type: 'assistant_message',
      content: [text('I look.')],
      imported: { fields: { cost: 3 } },
    },
    {
      type: 'tool_call',
      call: { id: 'c', name: 'look', arguments: { at: 'a' } },
      imported: { fields: { icon: 'x' } },
    },
    {
      type: 'tool_result',
      // A value that is a tool result already stays unchanged.
      result: { id: 'c', content: [], isError: true, isPending: true },
      imported: { fields: { isPending: true } },
    },
    { type: 'approval', callId: 'c', decision: 'allowed', by: 'user', reason: 'allow_session' },
  ]
  expect(one).toEqual({
    source: file,
    format: 'lace-sqlite',
    id: 'lace-t1',
    title: undefined,
    events: events.map((expected, index) => [getTime(index + 1), expected, makeRecord(index)]),
    problems: [],
  })
  // Events before the first time have that time.
  expect(two).toMatchObject({
    id: 'lace-t2',
    events: [
      [getTime(7), { content: [text('Look.')] }, makeRecord(5)],
      [getTime(7), { content: [text('Again.')] }, makeRecord(6)],
    ],
  })
})
