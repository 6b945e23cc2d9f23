import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { readConversations } from '../import-conversation.ts'
import { openSource } from '../sources/source.ts'
import { linesOf } from '../sources/source-of.suite.ts'
import { at, readOne, text, whole } from '../whole-conversation.suite.ts'

test('Lace: every field of a record that is read', () => {
  const line = (eventSeq: number, type: string, data: object) => ({
    eventSeq,
    timestamp: at(eventSeq),
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
  expect(whole(readOne(linesOf(records), path))).toEqual({
    source: path,
    format: 'lace',
    id: 'lace-sess_1',
    title: undefined,
    events: [
      [at(1), { type: 'turn_start', turn: 1 }, records[0]],
      [
        at(2),
        {
          type: 'assistant_message',
          content: [text('I look.')],
          reasoning: 'hm\n\nso',
          _meta: { thinkingBlocks },
        },
        records[1],
      ],
      [
        at(3),
        {
          type: 'tool_call',
          call: { id: 'c', name: 'look', arguments: { at: 'a' } },
          imported: { fields: { kind: 'read' } },
        },
        records[2],
      ],
      [
        at(3),
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
      [at(4), { type: 'configuration', values: { text: 'Be brief.' } }, records[3]],
      [
        at(5),
        { type: 'approval', callId: 'c', decision: 'allowed', by: 'user', arguments: { a: 1 } },
        records[4],
      ],
      [at(6), { type: 'approval', callId: 'd', decision: 'denied', by: 'user' }, records[5]],
    ],
    problems: [],
  })
})

test('a database of Lace: every column and field that is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolblocks-lace-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'lace.db')
  const database = new DatabaseSync(file)
  database.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY, created_at TEXT, picture BLOB);
    CREATE TABLE events (id TEXT PRIMARY KEY, thread_id TEXT, type TEXT, timestamp TEXT, data JSONB);
    INSERT INTO threads VALUES ('t1', '2025-07-05', x'0001'), ('t2', '2025-07-06', NULL)`)
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
  const rows = [
    ['e1', 't1', 'USER_SYSTEM_PROMPT', at(1), '"Be brief."'],
    ['e2', 't1', 'AGENT_MESSAGE', at(2), '{"content":"I look.","cost":3}'],
    ['e3', 't1', 'TOOL_CALL', at(3), '{"id":"c","name":"look","arguments":{"at":"a"},"icon":"x"}'],
    ['e4', 't1', 'TOOL_RESULT', at(4), '{"id":"c","content":[],"isError":true,"isPending":true}'],
    ['e5', 't1', 'TOOL_APPROVAL_RESPONSE', at(5), '{"toolCallId":"c","decision":"allow_session"}'],
    ['e6', 't2', 'USER_MESSAGE', null, '"Look."'],
    ['e7', 't2', 'USER_MESSAGE', at(7), '"Again."'],
  ]
  for (const row of rows) insert.run(...row)
  database.close()
  const source = openSource(file)
  const [one, two] = readConversations(source).map(whole)
  const recordOf = (index: number) => {
    const [id, thread_id, type, timestamp, data] = rows[index] ?? []
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
      // A result that is one already stays as it is.
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
    events: events.map((event, index) => [at(index + 1), event, recordOf(index)]),
    problems: [],
  })
  // Before the first time there is, the one at which the database was written.
  expect(two).toMatchObject({
    id: 'lace-t2',
    events: [
      [source.modifiedAt, { content: [text('Look.')] }, recordOf(5)],
      [at(7), { content: [text('Again.')] }, recordOf(6)],
    ],
  })
})
