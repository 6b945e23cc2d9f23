import { expect, test } from 'vitest'
import { describeValue, quoteBriefly } from './describe-value.ts'

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['a\nb', 'string "a\\nb"'],
  [3, 'number 3'],
  [true, 'boolean true'],
  [3n, 'bigint 3'],
  [Symbol('s'), 'symbol'],
  [() => 'line\nline', 'function'],
  [[1, 2, 3], 'array of 3'],
  [{}, 'empty object'],
  [{ path: 1, 'a, b': 2 }, 'object with path, "a, b"'],
])('shows a value in a few words (%#)', (value, words) => {
  expect(describeValue(value)).toBe(words)
})

test('long texts, names and lists of names are cut', () => {
  expect(describeValue('x'.repeat(61))).toBe(`string "${'x'.repeat(60)}…"`)
  expect(describeValue('x'.repeat(60))).toBe(`string "${'x'.repeat(60)}"`)
  expect(describeValue({ ['k'.repeat(1000)]: 1 })).toBe(`object with "${'k'.repeat(59)}…`)
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]))
  expect(describeValue(many)).toMatch(/^object with k0, k1, .{45,}…$/)
})

test('a cut never leaves half a character', () => {
  expect(quoteBriefly(`${'x'.repeat(59)}😀!`)).toBe(`"${'x'.repeat(59)}…"`)
})
