import { expect, test } from 'vitest'
import { isDeeperThan } from './measure-json.ts'

test.for<[unknown, number | undefined]>([
  ['a', undefined],
  [null, undefined],
  [[], 0],
  [{}, 0],
  [[1, [2]], 1],
  [{ a: { b: {} } }, 2],
  [[[], { a: [] }, 1], 2],
])('%j may be let in from %s levels below the first', ([value, levels]) => {
  for (const most of [-1, 0, 1, 2, 3])
    expect([most, isDeeperThan(value, most)]).toEqual([most, levels !== undefined && most < levels])
})
