import type { StoredEvent } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import {
  createStatistics,
  describeTotals,
  type ConversationStatistics,
} from './conversation-statistics.ts'

const createMessage = (text: string): StoredEvent['event'] => ({
  type: 'user_message',
  content: [{ type: 'text', text }],
})
const called = (id: string): StoredEvent['event'] => ({
  type: 'tool_call',
  call: { id, name: 'look', arguments: { a: 'bcde' } },
})
const answered = (id: string): StoredEvent['event'] => ({
  type: 'tool_result',
  result: { id, content: [{ type: 'text', text: 'ok' }], isError: false },
})
const delivered = (callId: string, text: string, wholeLength?: number): StoredEvent['event'] => ({
  type: 'delivery',
  callId,
  text,
  deliveries: [],
  ...(wholeLength !== undefined && { wholeLength }),
})

function statistics(...events: readonly StoredEvent['event'][]): ConversationStatistics {
  const one = createStatistics()
  for (const [index, event] of events.entries()) one.add({ seq: index + 1, event })
  return one
}

test('tokens of messages and calls are counted, and of results as the model received them', () => {
  const one = statistics(
    createMessage('12345678'),
    called('a'),
    answered('a'),
    delivered('a', 'x'.repeat(40), 400),
  )
  expect(one.totals()).toEqual({ sent: 6, received: 10, saved: 90, unrecorded: 0 })
  expect(describeTotals(one, { parts: 'omit' })).toBe('about 16 tokens')
  expect(describeTotals(one, { parts: 'say' })).toBe(
    'about 16 tokens: 6 in messages and calls, 10 in results (90 saved)',
  )
})

test('results without a record of what the model received are reported', () => {
  const one = statistics(called('a'), answered('a'), called('b'), answered('b'))
  expect(one.totals()).toMatchObject({ received: 0, unrecorded: 2 })
  expect(describeTotals(one, { parts: 'say' })).toMatch(
    /; for 2 results, what the model received is not recorded$/,
  )
})

test('undone events do not count, and have the number of their rewind', () => {
  const one = statistics(
    createMessage('1234'),
    createMessage('5678'),
    createMessage('9012'),
    { type: 'rewind', to: 1 },
    createMessage('3456'),
  )
  expect(one.totals().sent).toBe(2)
  expect([1, 2, 3, 4, 5].map(one.undoneBy)).toEqual([undefined, 4, 4, undefined, undefined])
})

test('undone events stay undone, also if a rewind is undone itself', () => {
  const one = statistics(
    createMessage('a'),
    createMessage('b'),
    { type: 'rewind', to: 1 },
    createMessage('c'),
    {
      type: 'rewind',
      to: 0,
    },
  )
  expect([1, 2, 4].map(one.undoneBy)).toEqual([5, 3, 5])
  expect(one.totals().sent).toBe(0)
})

test('if a provider has counted, its counts are shown, with their cost', () => {
  const usage = { inputTokens: 1200, cachedInputTokens: 1000, outputTokens: 30 }
  const one = statistics(createMessage('1234'), {
    type: 'assistant_message',
    content: [],
    model: 'm',
    usage,
  })
  expect(describeTotals(one, { parts: 'omit' })).toBe('1,200 tokens in (1,000 cached), 30 out')
  expect(describeTotals(one, { parts: 'omit', prices: { m: { input: 1000 } } })).toBe(
    '1,200 tokens in (1,000 cached), 30 out, cost 1.20',
  )
  expect(describeTotals(one, { parts: 'say' })).toContain(' · about 1 token: ')
})

test('turns begin at their events, and are named by the first words of a person', () => {
  const turn: StoredEvent['event'] = { type: 'turn_start', turn: 1 }
  const one = statistics(
    turn,
    createMessage(' Light\nit. '),
    called('a'),
    createMessage('Now.'),
    turn,
    called('b'),
    called('c'),
  )
  expect(one.turns()).toEqual([
    { seq: 1, opening: 'Light it.', calls: 1 },
    { seq: 5, opening: '', calls: 2 },
  ])
})

test('without events of turns, each message of a person begins one, except messages that a program wrote', () => {
  const one = statistics(
    createMessage('<command-name>/init</command-name>'),
    createMessage('Light it.'),
    called('a'),
    createMessage('x'.repeat(99)),
  )
  expect(one.turns()).toEqual([
    { seq: 2, opening: 'Light it.', calls: 1 },
    { seq: 4, opening: `${'x'.repeat(80)}…`, calls: 0 },
  ])
})

test('turns that were undone are not in the outline', () => {
  const one = statistics(
    createMessage('One.'),
    createMessage('Two.'),
    { type: 'rewind', to: 1 },
    createMessage('Three.'),
  )
  expect(one.turns().map(({ opening }) => opening)).toEqual(['One.', 'Three.'])
})
