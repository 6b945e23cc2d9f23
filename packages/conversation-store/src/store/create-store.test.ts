import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConversationStore } from './conversation-store.ts'
import type { ConversationEvent } from '../events/conversation-event.ts'
import { describeConversationStore } from '../compliance/describe-conversation-store.support.ts'
import { openStore } from '../open-store.ts'
import { MEMORY } from '../rows/sqlite/open-database.ts'
import { openSqliteRows } from '../rows/sqlite/sqlite-rows.ts'
import { createStore } from './create-store.ts'

describeConversationStore('memory', async (now) => {
  const rows = await openSqliteRows(MEMORY)
  return { store: createStore(rows, { now }), rows, remove: async () => {} }
})

let store: ConversationStore
beforeEach(async () => {
  store = await openStore('memory:')
})
afterEach(async () => await store.close())

test('refuses a value that is not an event, with the field, and keeps nothing of its append', async () => {
  const block = { type: 'text', text: 'a' }
  const call = { type: 'tool_call', call: { id: 'c', name: 'n', arguments: {} } }
  const cases: readonly (readonly [unknown, string, string])[] = [
    [
      { type: 'tool_call', call: { ...call.call, arguments: [] } },
      '/1/call/arguments',
      'array of 0',
    ],
    [
      { type: 'tool_result', result: { content: [block], isError: 0 } },
      '/1/result/isError',
      'number 0',
    ],
    [
      { type: 'tool_result', result: { content: [block, {}], isError: false } },
      '/1/result/content/1',
      'empty object',
    ],
    [{ type: 'user_message', content: 'hello' }, '/1/content', 'string "hello"'],
    [{ type: 'turn_start' }, '/1/turn', 'nothing'],
    [{ type: 'answer', id: 'a', callId: 'c', action: 'maybe' }, '/1/action', 'string "maybe"'],
    [{ type: 'assistant_message', content: [], reasoning: 1 }, '/1/reasoning', 'number 1'],
    [{ type: 'approval', callId: 'c', decision: 'yes', by: 'user' }, '/1/decision', 'string "yes"'],
    [
      { type: 'approval', callId: 'c', decision: 'allowed', by: 'rule', arguments: [] },
      '/1/arguments',
      'array of 0',
    ],
    [{ type: 'delivery', deliveries: [{}] }, '/1/deliveries', 'array of 1'],
    [{ type: 'configuration', values: null }, '/1/values', 'null'],
    [
      { type: 'compaction', fromTurn: 1, toTurn: 2, toolCalls: 'drop' },
      '/1/toolCalls',
      'string "drop"',
    ],
    [{ type: 'rewind', to: -1 }, '/1/to', 'number -1'],
    [{ turn: 1 }, '/1/type', 'nothing'],
    [null, '/1/type', 'null'],
    [
      {
        type: 'tool_result',
        result: { content: [], isError: false, structuredContent: new Date(0) },
      },
      '/1/result/structuredContent',
      'an object of class Date',
    ],
    [{ type: 'newer', log: () => {} }, '/1/log', 'a function'],
  ]
  for (const [event, path, got] of cases) {
    const refused = await store
      .append('c', 0, [{ type: 'turn_start', turn: 1 }, event as ConversationEvent])
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'unstorable', problem: { path, got } })
    expect(refused).toMatchObject({ message: expect.stringContaining(`${path}: expected `) })
  }
  expect((await store.read('c')).events).toEqual([])
})

test.for<unknown>(['a record', null, [1], { length: 1 }])(
  'an original that is no bytes is refused: %j',
  async (original) => {
    const dated = { at: '2026-01-01T00:00:00Z', event: { type: 'turn_start', turn: 1 }, original }
    await expect(store.append('c', 0, [dated] as never)).rejects.toMatchObject({
      code: 'unstorable',
      problem: { path: '/0/original', expected: 'bytes (a Uint8Array)' },
    })
    expect((await store.read('c')).events).toEqual([])
  },
)

test('accepts an event of a newer version, and fields that are undefined', async () => {
  const events = [
    { type: 'newer', data: 1 },
    { type: 'tool_result', result: { id: undefined, content: [], isError: false } },
  ] as unknown as ConversationEvent[]
  expect(await store.append('c', 0, events)).toEqual({ ok: true, seq: 2 })
  expect((await store.read('c')).damaged).toEqual([])
})

test.for([
  ['user_mesage', 'user_message'],
  ['user-message', 'user_message'],
  ['toolResult', 'tool_result'],
  ['Rewind', 'rewind'],
])(
  'an event of type "%s" is refused with the type that is probably meant',
  async ([type, meant]) => {
    const event = { type, content: [] } as unknown as ConversationEvent
    await expect(store.append('c', 0, [event])).rejects.toMatchObject({
      code: 'unstorable',
      problem: { path: '/0/type', expected: JSON.stringify(meant), got: JSON.stringify(type) },
    })
    // A record of another program keeps its own type.
    const record = { ...event, imported: { from: 'x' } } as unknown as ConversationEvent
    expect(await store.append('c', 0, [record])).toEqual({ ok: true, seq: 1 })
  },
)

test.for([-1, 1.5, Number.NaN, Infinity, '3', undefined])(
  'an append after "%s" is a mistake of the program, not a conflict',
  async (expectedSeq) => {
    await expect(store.append('c', expectedSeq as number, [])).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  },
)

test.for([-1, Number.NaN, 'x' as unknown as number])(
  'a page of %s events is refused, because reading page after page would not end',
  async (limit) => {
    for (const request of [
      async () => await store.read('c', { limit }),
      async () => await store.list({ limit }),
      async () => await store.search({ text: 'word', limit }),
      async () => await store.documents.list('question', { limit }),
    ])
      await expect(request()).rejects.toMatchObject({
        code: 'invalid-argument',
        message: expect.stringContaining('limit: expected a number of 0 or more, or Infinity'),
      })
  },
)

test('verify reads every page of the documents of a conversation', async () => {
  const rows = await openSqliteRows(MEMORY)
  const { documents, verify } = createStore(rows)
  const note = { collection: 'note', state: 'open', conversation: 'c', version: 0, value: 1 }
  for (let index = 0; index < 120; index++) await documents.write({ ...note, id: `${index}` })
  expect(await verify('c')).toEqual([])
  const row = await rows.documents.read('note', '119')
  if (row) await rows.documents.write({ ...row, version: 2 })
  expect(await verify('c')).toMatchObject([{ path: '/documents/note/119' }])
})
