import type { ConversationEvent } from '@toolblocks/conversation-store'
import { expect, test } from 'vitest'
import { countTokens, describeTokens } from './count-tokens.ts'

const at = '2026-05-06T07:00:00.000Z'
const count = (...events: readonly ConversationEvent[]): ReturnType<typeof countTokens> =>
  countTokens(events.map((event, index) => ({ seq: index + 1, at, turn: 1, event })))

test('what was given is held against what it would have been whole', () => {
  const delivery = { type: 'delivery', deliveries: [], text: 'x'.repeat(400) } as const
  const counted = count({ ...delivery, wholeLength: 4400 }, delivery, { type: 'rewind', to: 0 })
  expect(counted).toEqual({ results: 2, tokens: 200, wholeTokens: 1200, saved: 1000 })
  expect(describeTokens(counted)).toBe(
    'The model was given 2 results in about 200 tokens instead of 1,200: 1,000 saved, at 4 characters a token.',
  )
})

test('where no text is recorded there is nothing to count', () => {
  expect(describeTokens(count({ type: 'delivery', deliveries: [] }))).toBe(
    'No result was delivered to a model here.',
  )
})
