import { expect, test } from 'vitest'
import { dateText } from './date-text.ts'
import { textIn } from './data-fields.ts'
import { fieldText } from './field-text.ts'

test.for<[unknown, string | undefined]>([
  ['2026-03-01', '2026-03-01'],
  ['2026-03-01T09:30:12Z', '2026-03-01 09:30 UTC'],
  ['2026-03-01T09:30:12.345+02:00', '2026-03-01 07:30 UTC'],
  ['2026-03-01T09:30Z', '2026-03-01 09:30 UTC'],
  [0, '1970-01-01 00:00 UTC'],
  [Number.NaN, undefined],
  [9e15, undefined],
  ['2026-13-01T09:30:12Z', undefined],
  ['on 2026-03-01', undefined],
  ['2026-03-01 or later', undefined],
  ['12026-03-01T09:30:12Z', undefined],
  ['on 2026-03-01T09:30:12Z', undefined],
  ['2026-03-01T09', undefined],
  ['March 1, 2026', undefined],
  [null, undefined],
])('%j is the date %j', ([value, text]) => {
  expect(dateText(value)).toBe(text)
})

test.for<[unknown, Parameters<typeof fieldText>[1], string]>([
  [null, undefined, ''],
  [undefined, 'date', ''],
  ['a', undefined, 'a'],
  ['/w/a', 'path', 'a'],
  ['/w/a', 'string', '/w/a'],
  [1, 'path', '1'],
  [true, undefined, 'true'],
  [{ a: [1] }, undefined, '{"a":[1]}'],
  [0, 'date', '1970-01-01 00:00 UTC'],
  [0, 'number', '0'],
  ['soon', 'date', 'soon'],
  [1n, undefined, ''],
])('the field %o of type %s is %j', ([value, type, text]) => {
  expect(fieldText(value, type, '/w')).toBe(text)
})

test.for<[unknown, string | undefined]>([
  ['a', 'a'],
  [{ text: 'b', content: 'a', modified: 'c' }, 'a'],
  [{ content: 1, text: 'b', modified: 'c' }, 'b'],
  [{ modified: 'c' }, 'c'],
  [{ summary: 'a' }, undefined],
  [Object.create({ content: 'a' }), undefined],
  [null, undefined],
])('the text in %j is %j', ([data, text]) => {
  expect(textIn(data)).toBe(text)
})
