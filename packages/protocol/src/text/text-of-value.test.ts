import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOfValue } from './text-of-value.ts'

test.for<[unknown, string]>([
  ['a', 'a'],
  [7, '7'],
  [false, 'false'],
  [null, 'null'],
  [undefined, 'undefined'],
  [['a'], '["a"]'],
  [{ toString: false }, '{"toString":false}'],
])('%j is %s', ([value, text]) => {
  expect(textOfValue(value)).toBe(text)
})

test('any JSON has a text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(typeof textOfValue(value)).toBe('string')
    }),
  )
})

test('what is nested deeper than JSON can be written has a text', () => {
  let value: unknown = []
  for (let depth = 0; depth < 100_000; depth++) value = [value]
  expect(textOfValue(value)).toBe('[object Array]')
})
