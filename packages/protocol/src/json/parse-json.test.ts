import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

test('what JSON can say is read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(parseJson(JSON.stringify(value)))).toBe(JSON.stringify(value))
    }),
  )
})

test.for(['', ' ', '{', "'a'", 'undefined', 'NaN', '1 2', '{"a":1,}', '\ufeff1'])(
  '%j is no JSON, and nothing is thrown',
  (text) => {
    expect(parseJson(text)).toBeUndefined()
  },
)

test('"null" is a value, unlike no JSON', () => {
  expect(parseJson('null')).toBeNull()
})
