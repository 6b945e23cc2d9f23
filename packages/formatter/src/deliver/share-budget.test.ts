import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareBudget } from './share-budget.ts'

test.for([
  [[10, 20, 30], 60, Infinity],
  [[10, 20, 300], 60, 30],
  [[100, 100], 60, 30],
  [[], 0, Infinity],
  [[5], 0, 0],
] as const)('of %j with a budget of %i each keeps at most %i', ([lengths, budget, most]) => {
  expect(shareBudget(lengths, budget)).toBe(most)
})

test('law: everything fits, and as much as can is kept', () => {
  const law = fc.property(fc.array(fc.nat(1000)), fc.nat(5000), (lengths, budget) => {
    const most = shareBudget(lengths, budget)
    const kept = lengths.reduce((sum, length) => sum + Math.min(length, most), 0)
    const all = lengths.reduce((sum, length) => sum + length, 0)
    expect(kept).toBeLessThanOrEqual(budget < all ? budget : all)
    expect(kept).toBeGreaterThan(Math.min(budget, all) - lengths.length - 1)
  })
  fc.assert(law)
})
