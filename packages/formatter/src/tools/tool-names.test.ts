import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNameMap, fitsRule } from './tool-names.ts'

const rule = { marks: '_-', startsWithLetter: true, maxLength: 12 }

test('every name gets a unique name that the rule accepts, and is restored from it', () => {
  const name = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('a.b', 'a_b', 'a b', 'a_b_2', ''),
  )
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const { to, from } = createNameMap(names, rule)
      expect(new Set(names.map(to)).size).toBe(new Set(names).size)
      for (const each of names) {
        expect(fitsRule(to(each), rule)).toBe(true)
        expect(from(to(each))).toBe(each)
        expect(fitsRule(each, rule) ? to(each) : each).toBe(each)
      }
    }),
  )
})

test('the order of the names has no effect', () => {
  const names = ['a.b', 'a_b', 'a b', 'same_beginning_1', 'same_beginning_2']
  const [one, other] = [createNameMap(names, rule), createNameMap(names.toReversed(), rule)]
  expect(names.map(one.to)).toEqual(names.map(other.to))
  expect(names.map(one.to)).toEqual(['a_b_3', 'a_b', 'a_b_2', 'same_beginni', 'same_begin_2'])
})

test('ten thousand names that look the same get ten thousand different names', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `same_beginning_${index}`)
  expect(new Set(names.map(createNameMap(names, rule).to)).size).toBe(names.length)
})
