import { expect, test } from 'vitest'
import { at, readOne, text, whole } from '../whole-conversation.suite.ts'

test('JP: every field of a record that is read', () => {
  const records = [
    { timestamp: at(1), type: 'turn_start', id: 't' },
    { timestamp: at(2), type: 'chat_response', data: { rows: 2 }, metadata: { a: 1 }, model: 'm' },
    {
      timestamp: at(3),
      type: 'tool_call_request',
      id: 'c',
      name: 'look',
      arguments: { at: 'ä' },
      extra: 1,
    },
    {
      timestamp: at(4),
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
      timestamp: at(5),
      type: 'inquiry_request',
      id: 'c.which',
      question: {
        text: 'Which?',
        answer_type: { type: 'select', options: ['a', 'b'] },
        default: 'b',
      },
    },
    { timestamp: at(6), type: 'inquiry_response', id: 'c.which', answer: 'a', by: 'Ada' },
    {
      timestamp: at(7),
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
      at(1),
      {
        type: 'configuration',
        values: { b: 1 },
        imported: { about: { title: 'Lamps', owner: 'Ada' } },
      },
      { b: 1 },
    ],
    [at(1), { type: 'turn_start', turn: 1, imported: { fields: { id: 't' } } }, records[0]],
    [
      at(2),
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
      at(3),
      {
        type: 'tool_call',
        call: { id: 'c', name: 'look', arguments: { at: 'ä' } },
        imported: { fields: { extra: 1 }, undecoded: ['/arguments/at'] },
      },
      records[2],
    ],
    [
      at(4),
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
      at(5),
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
      at(6),
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
    [at(7), { type: 'compaction', fromTurn: 3, toTurn: 4, toolCalls: 'omit' }, records[6]],
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

test('where a record says one thing in two ways, the first counts', () => {
  const records = [
    {
      timestamp: at(1),
      type: 'tool_call_response',
      id: 'c',
      content: [text('new')],
      blocks: [text('old')],
    },
    {
      timestamp: at(2),
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
