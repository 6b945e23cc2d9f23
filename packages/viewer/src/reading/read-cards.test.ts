import type { StoredEvent } from '@toolblocks/conversation-store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Card, type CardEvent, getCardEvents, readCards } from './read-cards.ts'

type Event = StoredEvent['event']
const time = '2026-05-06T07:00:00.000Z'
const number = (events: readonly Event[]): readonly CardEvent[] =>
  events.map((event, index) => ({ seq: index + 1, at: time, event }))
/** Each card by its kind and the numbers of its events. */
const read = (...events: readonly Event[]): readonly string[] =>
  readCards(number(events)).map(
    (card) =>
      `${card.kind} ${getCardEvents(card)
        .map(({ seq }) => seq)
        .join(' ')}`,
  )

const call = (id: string, madeBy?: string): Event => ({
  type: 'tool_call',
  call: {
    id,
    name: 'n',
    arguments: {},
    ...(madeBy && { _meta: { 'toolblocks/made-by': madeBy } }),
  },
})
const result = (id: string): Event => ({
  type: 'tool_result',
  result: { id, content: [], isError: false },
})
const question = (callId: string): Event => ({
  type: 'question',
  id: `${callId}.q`,
  callId,
  asked: 'user',
  question: { id: 'q', text: 'Sure?', schema: { type: 'boolean' } },
})
const answer = (callId: string): Event => ({
  type: 'answer',
  id: `${callId}.q`,
  callId,
  action: 'decline',
})
const approval = (callId: string): Event => ({
  type: 'approval',
  callId,
  decision: 'allowed',
  by: 'user',
})
const delivery = (callId: string): Event => ({ type: 'delivery', callId, deliveries: [] })
const createMessage = (text: string): Event => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})
const turn: Event = { type: 'turn_start', turn: 1 }
const record = (type: string): Event => ({ type: 'unknown', value: { type } })

test('a call is shown where it was made, with its questions, answers, decisions, result, and the text for the model', () => {
  expect(
    read(
      call('a'),
      call('b'),
      approval('b'),
      question('a'),
      answer('a'),
      result('b'),
      result('a'),
      delivery('a'),
    ),
  ).toEqual(['call 1 4 5 7 8', 'call 2 3 6'])
})

test('a repeated id belongs to the call in its turn, and within one turn to the first open call', () => {
  expect(read(turn, call('a'), turn, call('a'), result('a'))).toEqual([
    'turn 1',
    'call 2',
    'turn 3',
    'call 4 5',
  ])
  expect(read(call('a'), call('a'), result('a'), result('a'))).toEqual(['call 1 3', 'call 2 4'])
})

test('a question before the call that a host makes with the answer belongs to that call', () => {
  expect(read(question('a'), answer('a'), call('a', 'host'), result('a'))).toEqual(['call 3 1 2 4'])
})

test('an event that belongs to no call has its own card', () => {
  expect(read(result('a'), delivery('a'), delivery('b'), approval('c'))).toEqual([
    'result 1 2',
    'delivery 3',
    'note 4',
  ])
})

test('people and programs, messages and records are distinguished; consecutive records are one card', () => {
  expect(
    read(
      createMessage('Hello.'),
      createMessage('<command-name>/init</command-name>'),
      { type: 'user_message', content: [{ type: 'image', mimeType: 'image/png', data: '' }] },
      { type: 'assistant_message', content: [{ type: 'text', text: 'Hi.' }] },
      { type: 'assistant_message', content: [], usage: { inputTokens: 1 } },
      record('progress'),
      record('snapshot'),
      { type: 'configuration', values: {} },
    ),
  ).toEqual(['person 1', 'program 2', 'person 3', 'model 4', 'records 6 7', 'note 8'])
})

test('every event is in exactly one card, in any order', () => {
  const ids = fc.constantFrom('a', 'b')
  const event = fc.oneof(
    ...[result, question, answer, approval, delivery].map((make) => ids.map(make)),
    ids.map((id) => call(id)),
    ids.map((id) => call(id, 'host')),
    fc.constantFrom(turn, createMessage('Hello.'), record('later')),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const cards: readonly Card[] = readCards(number(events))
      const seqs = cards.flatMap((card) => getCardEvents(card).map(({ seq }) => seq))
      expect(seqs.toSorted((one, other) => one - other)).toEqual(
        events.map((_, index) => index + 1),
      )
    }),
  )
})
