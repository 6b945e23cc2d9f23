import { expect, test } from 'vitest'
import { costOf } from './cost-of.ts'

const usage = { inputTokens: 3_000_000, cachedInputTokens: 2_000_000, outputTokens: 500_000 }

test('input, cached input and output each have their price', () => {
  const prices = { 'model-a': { input: 3, output: 10, cached: 0.5 }, 'model-b': { input: 3 } }
  expect(costOf(usage, 'model-a', prices)).toBe(3 + 1 + 5)
  expect(costOf(usage, 'model-b', prices)).toBe(9)
  expect(costOf({}, 'model-a', prices)).toBe(0)
})

test('a model that no price fits has no cost', () => {
  expect(costOf(usage, 'model-c', { 'model-a': { input: 3 } })).toBeUndefined()
  expect(costOf(usage, undefined, { '*': { input: 3 } })).toBeUndefined()
  expect(costOf(usage, 'constructor', {})).toBeUndefined()
})

test.for([
  ['claude-*', 'claude-opus', true],
  ['*-opus-*', 'claude-opus-4', true],
  ['*opus', 'claude-opus', true],
  ['a*a', 'a', false],
  ['a*b*c', 'a-c-b', false],
  ['a.*', 'axb', false],
  ['*', 'anything', true],
] as const)('the name %s fits the model %s: %s', ([name, model, isFit]) => {
  expect(costOf({ inputTokens: 1 }, model, { [name]: { input: 1 } }) !== undefined).toBe(isFit)
})
