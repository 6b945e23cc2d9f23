import { expect, test } from 'vitest'
import type { ImportedEvent } from '../convert/imported-event.ts'
import { detectFormat, readConversations } from '../import-conversation.ts'
import { getSource } from '../sources/make-source.support.ts'
import { getTime, readOne, text, whole } from '../complete-conversation.support.ts'

const base64 = (content: string): string => Buffer.from(content).toString('base64')

const timestamp = '2026-03-05 22:12:35.693571'

type SourceArguments = Parameters<typeof getSource>

function read(...sourceArguments: SourceArguments) {
  const [conversation, ...others] = readConversations(getSource(...sourceArguments))
  if (!conversation || others.length > 0) throw new Error('expected one conversation')
  return conversation
}

function makeEvents(...sourceArguments: SourceArguments): ImportedEvent[] {
  return read(...sourceArguments).events.map(({ event }) => event)
}

const call = {
  timestamp,
  type: 'tool_call_request',
  id: 'toolu_1',
  name: 'fs_read_file',
  arguments: { path: base64('docs/ä.md'), lines: [base64('1'), 2], plain: 'abcd' },
}

const result = {
  timestamp,
  type: 'tool_call_response',
  id: 'toolu_1',
  content: base64('```md\nä\n```'),
  is_error: false,
}

test('a turn becomes events with their times and the bytes of their records', () => {
  const records = [
    { timestamp, type: 'turn_start' },
    { timestamp, type: 'chat_request', content: 'Read it.', author: 'Ada' },
    { timestamp, type: 'chat_response', reasoning: 'hm', metadata: { signature: base64('s') } },
    { timestamp, type: 'chat_response', message: 'I read it.' },
    call,
    result,
  ]
  const conversation = read(records, { beside: { 'metadata.json': { title: 'A title' } } })
  expect(conversation).toMatchObject({ format: 'jp', id: 'jp-17700000001', title: 'A title' })
  expect(conversation.events[0]).toMatchObject({ at: '2026-03-05T22:12:35.693Z' })
  expect(conversation.events.map(({ event }) => event)).toEqual([
    { type: 'turn_start', turn: 1, imported: { about: { title: 'A title' } } },
    {
      type: 'user_message',
      content: [{ type: 'text', text: 'Read it.' }],
      imported: { fields: { author: 'Ada' } },
    },
    {
      type: 'assistant_message',
      content: [],
      reasoning: 'hm',
      _meta: { signature: 's' },
      imported: { decoded: ['/metadata/signature'] },
    },
    { type: 'assistant_message', content: [{ type: 'text', text: 'I read it.' }] },
    {
      type: 'tool_call',
      call: {
        id: 'toolu_1',
        name: 'fs_read_file',
        arguments: { path: 'docs/ä.md', lines: ['1', 2], plain: 'abcd' },
      },
      imported: {
        decoded: ['/arguments/path', '/arguments/lines/0'],
        undecoded: ['/arguments/plain'],
      },
    },
    {
      type: 'tool_result',
      result: { id: 'toolu_1', content: [{ type: 'text', text: '```md\nä\n```' }], isError: false },
      imported: { decoded: ['/content'] },
    },
  ])
  for (const [index, { original }] of conversation.events.entries())
    expect(JSON.parse(new TextDecoder().decode(original))).toEqual(records[index])
  expect(conversation.before).toMatchObject({
    assistantMessages: 1,
    calls: 1,
    results: 1,
    turns: 1,
  })
})

test('questions and answers belong to their call, even if its id contains dots', () => {
  const question = {
    text: 'Apply?',
    answer_type: { type: 'boolean' },
    default: true,
  }
  const id = 'a.b.apply_changes'
  expect(
    makeEvents([
      { ...call, id: 'a.b' },
      { timestamp, type: 'inquiry_request', id, source: { source: 'tool', name: 'x' }, question },
      { timestamp, type: 'inquiry_response', id, answer: true },
      { ...result, id: 'a.b', is_error: true },
    ]),
  ).toMatchObject([
    {},
    {
      type: 'question',
      id,
      callId: 'a.b',
      asked: 'user',
      question: { id: 'apply_changes', text: 'Apply?', schema: { type: 'boolean' }, default: true },
      imported: { fields: { source: { name: 'x' } } },
    },
    { type: 'answer', id, callId: 'a.b', action: 'accept', value: true },
    { result: { isError: true } },
  ])
})

test.for<[string, unknown, unknown]>([
  ['as stored', { type: 'select', options: [{ value: 'a' }, { value: 2 }] }, { enum: ['a', 2] }],
  ['as tools print it', { Select: { options: ['a'] } }, { enum: ['a'] }],
  ['by name', 'Boolean', { type: 'boolean' }],
  ['text', { type: 'text' }, { type: 'string' }],
])('converts the type of an answer, %s, to a schema', ([, answer_type, schema]) => {
  const question = { text: '?', answer_type }
  const asked = { timestamp, type: 'inquiry_request', id: 'c.q', question }
  expect(makeEvents([call, asked])[1]).toMatchObject({ question: { id: 'q', schema } })
})

test('reads the configuration of each generation: beside the type, as a delta, in a separate file', () => {
  const first = { type: 'config_delta', timestamp, inherit: true }
  const second = { type: 'config_delta', timestamp, delta: { inherit: false } }
  const conversation = read([first, second, call], {
    beside: { 'base_config.json': { assistant: {} } },
  })
  expect(conversation.events.map(({ event }) => event).slice(0, 3)).toEqual([
    { type: 'configuration', values: { assistant: {} } },
    { type: 'configuration', values: { inherit: true } },
    { type: 'configuration', values: { inherit: false } },
  ])
  expect(conversation.before.configurations).toBe(3)
})

test('a compaction counts its turns from 1', () => {
  const compaction = {
    timestamp,
    type: 'compaction',
    from_turn: 0,
    to_turn: 4,
    summary: { summary: 'short' },
    reasoning: 'strip',
    tool_calls: { policy: 'strip', request: false, response: true },
  }
  expect(makeEvents([call, compaction])[1]).toEqual({
    type: 'compaction',
    fromTurn: 1,
    toTurn: 5,
    summary: 'short',
    reasoning: 'strip',
    toolCalls: 'strip-results',
  })
})

test('keeps records for which no event exists unchanged', () => {
  const records = [call, { timestamp, type: 'weather', degrees: 20 }, { type: 'tool_call_request' }]
  const conversation = read(records)
  expect(conversation.events.slice(1).map(({ event }) => event)).toEqual([
    { type: 'imported_record', format: 'jp', record: records[1] },
    { type: 'imported_record', format: 'jp', record: records[2] },
  ])
  expect(conversation.before).toMatchObject({ calls: 1, unknown: 2 })
})

test('restores content that is stored apart, and reports missing content', () => {
  const [there, gone] = ['a'.repeat(64), 'b'.repeat(64)]
  const content = [
    { type: 'text', content: { $blob: there, size: 2 } },
    { type: 'text', content: { text: 'in place' } },
    {
      type: 'resource',
      resource: { uri: 'file:///a', content: { $blob: there, size: 2 }, formatted: 'f' },
    },
    { type: 'text', content: { $blob: gone, size: 2 } },
  ]
  const conversation = read([{ ...result, content }], { blobs: { [there]: 'hi' } })
  expect(conversation.events[0]?.event).toMatchObject({
    result: {
      content: [
        { type: 'text', text: 'hi' },
        { type: 'text', text: 'in place' },
        { type: 'resource', resource: { uri: 'file:///a', text: 'hi' }, formatted: 'f' },
        { type: 'text', text: '', _meta: { 'toolblocks/missing-blob': gone } },
      ],
    },
  })
  expect(conversation.problems).toMatchObject([{ path: '/0', code: 'missing-blob' }])
})

test('recognizes a file by its records, not by its name', () => {
  expect(detectFormat(getSource([call], { path: '/x/y.json' }))).toBe('jp')
  expect(detectFormat(getSource([{ type: 'chat_request' }], {}))).toBeUndefined()
  expect(detectFormat(getSource('{"assistant": {}}\n', {}))).toBeUndefined()
})

test('keeps the record of a call whose id is an object, whatever its toString is', () => {
  const record = { ...call, id: { toString: false } }
  expect(makeEvents(JSON.stringify([record]))).toEqual([
    { type: 'imported_record', format: 'jp', record },
  ])
})

test('JP: reads every known field of a record', () => {
  const records = [
    { timestamp: getTime(1), type: 'turn_start', id: 't' },
    {
      timestamp: getTime(2),
      type: 'chat_response',
      data: { rows: 2 },
      metadata: { a: 1 },
      model: 'm',
    },
    {
      timestamp: getTime(3),
      type: 'tool_call_request',
      id: 'c',
      name: 'look',
      arguments: { at: 'ä' },
      extra: 1,
    },
    {
      timestamp: getTime(4),
      type: 'tool_call_response',
      id: 'c',
      blocks: [
        { type: 'text', content: { text: 'in place', mime: 'x' } },
        {
          type: 'resource',
          resource: {
            uri: 'file:///a',
            mimeType: 'text/x',
            content: { text: 'there' },
            formatted: 'f',
          },
          annotations: { priority: 1 },
        },
      ],
      is_error: true,
    },
    {
      timestamp: getTime(5),
      type: 'inquiry_request',
      id: 'c.which',
      question: {
        text: 'Which?',
        answer_type: { type: 'select', options: ['a', 'b'] },
        default: 'b',
      },
    },
    { timestamp: getTime(6), type: 'inquiry_response', id: 'c.which', answer: 'a', by: 'Ada' },
    {
      timestamp: getTime(7),
      type: 'compaction',
      from_turn: 2,
      to_turn: 3,
      tool_calls: { policy: 'omit' },
    },
  ]
  const path = '/old/17700000001-a-title/events.json'
  const beside = { 'metadata.json': { title: 'Lamps', owner: 'Ada' }, 'base_config.json': { b: 1 } }
  const events = [
    [
      getTime(1),
      {
        type: 'configuration',
        values: { b: 1 },
        imported: { about: { title: 'Lamps', owner: 'Ada' } },
      },
      { b: 1 },
    ],
    [getTime(1), { type: 'turn_start', turn: 1, imported: { fields: { id: 't' } } }, records[0]],
    [
      getTime(2),
      {
        type: 'assistant_message',
        content: [],
        data: { rows: 2 },
        _meta: { a: 1 },
        imported: { fields: { model: 'm' } },
      },
      records[1],
    ],
    [
      getTime(3),
      {
        type: 'tool_call',
        call: { id: 'c', name: 'look', arguments: { at: 'ä' } },
        imported: { fields: { extra: 1 }, undecoded: ['/arguments/at'] },
      },
      records[2],
    ],
    [
      getTime(4),
      {
        type: 'tool_result',
        result: {
          id: 'c',
          content: [
            { type: 'text', text: 'in place', mime: 'x' },
            {
              type: 'resource',
              resource: { uri: 'file:///a', mimeType: 'text/x', text: 'there' },
              formatted: 'f',
              annotations: { priority: 1 },
            },
          ],
          isError: true,
        },
      },
      records[3],
    ],
    [
      getTime(5),
      {
        type: 'question',
        id: 'c.which',
        callId: 'c',
        question: { id: 'which', text: 'Which?', schema: { enum: ['a', 'b'] }, default: 'b' },
        asked: 'user',
      },
      records[4],
    ],
    [
      getTime(6),
      {
        type: 'answer',
        id: 'c.which',
        callId: 'c',
        action: 'accept',
        value: 'a',
        imported: { fields: { by: 'Ada' } },
      },
      records[5],
    ],
    [getTime(7), { type: 'compaction', fromTurn: 3, toTurn: 4, toolCalls: 'omit' }, records[6]],
  ]
  expect(whole(readOne(records, path, { beside }))).toEqual({
    source: path,
    format: 'jp',
    id: 'jp-17700000001',
    title: 'Lamps',
    events,
    problems: [],
  })
})

test('if a record has a value under two names, the first one counts', () => {
  const records = [
    {
      timestamp: getTime(1),
      type: 'tool_call_response',
      id: 'c',
      content: [text('new')],
      blocks: [text('old')],
    },
    {
      timestamp: getTime(2),
      type: 'inquiry_request',
      id: 'c.q',
      question: { text: '?', answer_type: { options: ['new'], Select: { options: ['old'] } } },
    },
  ]
  const { events } = readOne(records, '/old/one/events.json')
  expect(events.map(({ event }) => event)).toMatchObject([
    { result: { content: [text('new')] } },
    { question: { schema: { enum: ['new'] } } },
  ])
})
