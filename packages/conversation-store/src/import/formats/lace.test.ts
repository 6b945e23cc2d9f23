import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { detectFormat, readConversations } from '../import-conversation.ts'
import { openSource } from '../sources/source.ts'
import { linesOf, sourceOf } from '../sources/source-of.suite.ts'

const text = (said: string) => ({ type: 'text', text: said })

type Row = readonly [type: string, data: unknown]

/** Writes a database as Lace did, with the write-ahead log it leaves when it is killed, where that is wanted. */
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

test.for([false, true])('a database is read with its three generations, log: %s', (log) => {
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

test('a log is read in the order of its numbers', () => {
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
  const source = sourceOf(linesOf(records), { path: '/x/sess_1/events.jsonl' })
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
