import { expect, test } from 'vitest'
import type { ConversationEvent, UnknownEvent } from './conversation-event.ts'
import { getEventText, getWords } from './event-text.ts'

const block = (text: string) => ({ type: 'text', text }) as const
const resource = {
  type: 'resource',
  resource: { uri: 'file:///lamp.rs', text: 'fn lamp' },
} as const
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' } as const
const question = { id: 'q', text: 'Which lamp?', schema: {} } as const

test.for<[string, ConversationEvent | UnknownEvent, string]>([
  [
    'the text of a message',
    { type: 'user_message', content: [block('a'), link, block('b')] },
    'a\nb',
  ],
  [
    'the text, reasoning and data of a model',
    { type: 'assistant_message', content: [block('a')], reasoning: 'hm', data: { b: 1 } },
    'a\nhm\n{"b":1}',
  ],
  [
    'only the text of a message without data',
    { type: 'assistant_message', content: [block('a')] },
    'a',
  ],
  [
    'a call and its arguments',
    { type: 'tool_call', call: { id: 'c', name: 'light', arguments: { on: true } } },
    'light\n{"on":true}',
  ],
  [
    'a result, with the uris of its resources and its structure',
    {
      type: 'tool_result',
      result: { content: [block('lit'), resource], isError: false, structuredContent: { b: 2 } },
    },
    'lit\nfile:///lamp.rs\nfn lamp\n{"b":2}',
  ],
  [
    'a question',
    { type: 'question', id: 'q', callId: 'c', question, asked: 'user' },
    'Which lamp?',
  ],
  [
    'an answer',
    { type: 'answer', id: 'q', callId: 'c', action: 'accept', value: ['red'] },
    '["red"]',
  ],
  [
    'no words of a declined answer',
    { type: 'answer', id: 'q', callId: 'c', action: 'decline' },
    '',
  ],
  [
    'no words of a secret',
    { type: 'answer', id: 'q', callId: 'c', action: 'accept', redacted: true },
    '',
  ],
  ['a summary', { type: 'compaction', fromTurn: 1, toTurn: 2, summary: 'all lit' }, 'all lit'],
  ['no words without a summary', { type: 'compaction', fromTurn: 1, toTurn: 2 }, ''],
  [
    'why a call was denied',
    { type: 'approval', callId: 'c', decision: 'denied', by: 'user', reason: 'too dark' },
    'too dark',
  ],
  [
    'no words without a reason',
    { type: 'approval', callId: 'c', decision: 'denied', by: 'user' },
    '',
  ],
  ['no words of a turn', { type: 'turn_start', turn: 1 }, ''],
  [
    'no words of a delivery, whose words are the result’s',
    { type: 'delivery', deliveries: [], callId: 'c', text: 'lit' },
    '',
  ],
  ['no words of a configuration', { type: 'configuration', values: { model: 'm' } }, ''],
  ['no words of a rewind', { type: 'rewind', to: 1 }, ''],
])('an event is found by %s', ([, event, text]) => {
  expect(getEventText(event)).toBe(text)
})

test('words are letters and digits of any script, in lower case, from the first 200,000 characters', () => {
  expect(getWords('Was „Größe 2“ – ΑΒ, 日本!')).toEqual(['was', 'größe', '2', 'αβ', '日本'])
  expect(getWords(' \n')).toEqual([])
  expect(getWords(`${'a '.repeat(99_999)}bcd`).at(-1)).toBe('bc')
})
