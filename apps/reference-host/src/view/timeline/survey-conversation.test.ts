import type { StoredEvent } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { createSurvey, describeTotals, type Survey } from './survey-conversation.ts'

const said = (text: string): StoredEvent['event'] => ({
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

function survey(...events: readonly StoredEvent['event'][]): Survey {
  const one = createSurvey()
  for (const [index, event] of events.entries()) one.add({ seq: index + 1, event })
  return one
}

test('tokens are counted of messages and calls, and of results as the model received them', () => {
  const { totals } = survey(
    said('12345678'),
    called('a'),
    answered('a'),
    delivered('a', 'x'.repeat(40), 400),
  )
  expect(totals()).toEqual({ said: 6, received: 10, saved: 90, unrecorded: 0 })
  expect(describeTotals(totals())).toBe(
    'about 16 tokens: 6 in messages and calls, 10 in results (90 saved)',
  )
})

test('results of which nothing says what the model received are said', () => {
  const { totals } = survey(called('a'), answered('a'), called('b'), answered('b'))
  expect(totals()).toMatchObject({ received: 0, unrecorded: 2 })
  expect(describeTotals(totals())).toMatch(
    /; of 2 results it is not recorded what the model received$/,
  )
})

test('what a rewind has undone does not count, and is known by its number', () => {
  const one = survey(
    said('1234'),
    said('5678'),
    said('9012'),
    { type: 'rewind', to: 1 },
    said('3456'),
  )
  expect(one.totals().said).toBe(2)
  expect([1, 2, 3, 4, 5].map(one.undoneBy)).toEqual([undefined, 4, 4, undefined, undefined])
})

test('what was undone stays so, also where a rewind is undone itself', () => {
  const one = survey(said('a'), said('b'), { type: 'rewind', to: 1 }, said('c'), {
    type: 'rewind',
    to: 0,
  })
  expect([1, 2, 4].map(one.undoneBy)).toEqual([5, 3, 5])
  expect(one.totals().said).toBe(0)
})
