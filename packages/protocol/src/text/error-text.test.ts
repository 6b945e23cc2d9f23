import { expect, test } from 'vitest'
import { getErrorText } from './error-text.ts'

test.for<[string, unknown, string]>([
  ['an error', new RangeError('too long'), 'too long'],
  ['a text', 'late', 'late'],
  ['nothing', undefined, 'undefined'],
  ['an object without a prototype', Object.create(null), 'a value of type object'],
  ['a symbol', Symbol('late'), 'Symbol(late)'],
])('%s has a text', ([, thrown, text]) => {
  expect(getErrorText(thrown)).toBe(text)
})
