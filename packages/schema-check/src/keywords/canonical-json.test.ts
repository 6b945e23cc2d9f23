import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeepStrictEqual } from 'node:util'
import { createLookup, findEqualItems } from './canonical-json.ts'

const value = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'b', '"', '\\') })
const positive = (json: unknown): unknown => JSON.parse(JSON.stringify(json))

test('a value is found among others exactly if it is the same JSON as one of them', () => {
  fc.assert(
    fc.property(fc.array(value), value, (values, sought) => {
      const same = values.some((each) => isDeepStrictEqual(positive(each), positive(sought)))
      expect(createLookup(values)(sought)).toBe(same)
    }),
  )
})

test('the order of members does not matter, the order of items does', () => {
  const isAmong = createLookup([{ a: 1, b: [1, 2] }])
  expect(isAmong({ b: [1, 2], a: 1 })).toBe(true)
  expect(isAmong({ b: [2, 1], a: 1 })).toBe(false)
})

test('members may have the names of properties of every object', () => {
  const text = '[{"constructor":1},{"toString":1},{"__proto__":1},{"valueOf":{}},{"constructor":2}]'
  const values: unknown[] = JSON.parse(text)
  expect(findEqualItems(values)).toBeUndefined()
  expect(values.map(createLookup(values))).toEqual([true, true, true, true, true])
  expect(createLookup(values)({})).toBe(false)
  expect(findEqualItems([...values, JSON.parse('{"__proto__":1}')])).toEqual({ i: 5, j: 2 })
})

test('a text differs from the number and the array that it contains', () => {
  expect(findEqualItems([1, '1', [1], '[1]', null, 'null', true, 'true', {}, '{}'])).toBeUndefined()
  expect(findEqualItems(['a', 1, '1', 1])).toEqual({ i: 3, j: 1 })
})
