import type { StoredEvent } from '@toolblocks/conversation-store'
import type { TokenUsage } from '@toolblocks/protocol'
import { expect, test } from 'vitest'
import {
  findCost,
  createUsageSum,
  describeUsage,
  describeUsageShortly,
  describeUsageSum,
  getTotal,
} from './usage.ts'

const answer = (usage: TokenUsage, model?: string, requestId?: string): StoredEvent['event'] => ({
  type: 'assistant_message',
  content: [],
  usage,
  ...(model !== undefined && { model }),
  ...(requestId !== undefined && { imported: { fields: { requestId } } }),
})

test('tokens are summed by model', () => {
  const sum = createUsageSum()
  sum.add(answer({ inputTokens: 10, outputTokens: 1 }, 'a'))
  sum.add(answer({ inputTokens: 20, cachedInputTokens: 15, outputTokens: 2 }, 'a'))
  sum.add(answer({ outputTokens: 4 }, 'b'))
  sum.add({ type: 'user_message', content: [] })
  expect([...sum.byModel()]).toEqual([
    ['a', { inputTokens: 30, cachedInputTokens: 15, outputTokens: 3 }],
    ['b', { outputTokens: 4 }],
  ])
  expect(getTotal(sum.byModel())).toEqual({
    inputTokens: 30,
    cachedInputTokens: 15,
    outputTokens: 7,
  })
})

test('a request in several records counts once, with its greatest counts', () => {
  const sum = createUsageSum()
  sum.add(answer({ inputTokens: 10, outputTokens: 1 }, 'a', 'r1'))
  sum.add(answer({ inputTokens: 10, outputTokens: 80 }, 'a', 'r1'))
  sum.add(answer({ inputTokens: 10, outputTokens: 80 }, 'a', 'r2'))
  expect(getTotal(sum.byModel())).toEqual({ inputTokens: 20, outputTokens: 160 })
})

test('a sum names models, tokens, and the cost of those that have a price', () => {
  const sum = createUsageSum()
  sum.add(answer({ inputTokens: 1_000_000, cachedInputTokens: 9000, outputTokens: 2000 }, 'a'))
  sum.add(answer({ inputTokens: 10 }, 'b'))
  expect(describeUsageSum(sum.byModel(), { prices: { a: { input: 2 } } })).toBe(
    'a: 1,000,000 tokens in (9,000 cached), 2,000 out, cost 2.00 · b: 10 tokens in',
  )
  expect(describeUsage({ outputTokens: 5 })).toBe('5 tokens out')
  expect(describeUsage({})).toBe('')
  const alone = new Map([['a', { inputTokens: 10 }]])
  expect(describeUsageSum(alone, { names: 'several' })).toBe('10 tokens in')
})

test('in a narrow place tokens are shown in thousands', () => {
  expect(describeUsageShortly({ inputTokens: 12_345, outputTokens: 678 })).toBe(
    '12.3k in · 678 out',
  )
  expect(describeUsageShortly({ inputTokens: 999_960 })).toBe('1.0M in')
  expect(describeUsageShortly({})).toBe('')
})

const usage = { inputTokens: 3_000_000, cachedInputTokens: 2_000_000, outputTokens: 500_000 }

test('input, cached input and output each have their price', () => {
  const prices = { 'model-a': { input: 3, output: 10, cached: 0.5 }, 'model-b': { input: 3 } }
  expect(findCost(usage, 'model-a', prices)).toBe(3 + 1 + 5)
  expect(findCost(usage, 'model-b', prices)).toBe(9)
  expect(findCost({}, 'model-a', prices)).toBe(0)
})

test('a model without a matching price has no cost', () => {
  expect(findCost(usage, 'model-c', { 'model-a': { input: 3 } })).toBeUndefined()
  expect(findCost(usage, undefined, { '*': { input: 3 } })).toBeUndefined()
  expect(findCost(usage, 'constructor', {})).toBeUndefined()
})

test.for([
  ['claude-*', 'claude-opus', true],
  ['*-opus-*', 'claude-opus-4', true],
  ['*opus', 'claude-opus', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a-c-b', false],
  ['a.*', 'axb', false],
  ['*', 'anything', true],
] as const)('the name %s matches the model %s: %s', ([name, model, isFit]) => {
  expect(findCost({ inputTokens: 1 }, model, { [name]: { input: 1 } }) !== undefined).toBe(isFit)
})
