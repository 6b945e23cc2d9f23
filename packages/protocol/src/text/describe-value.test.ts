import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeValue, quoteName, quoteBriefly, formatValue } from './describe-value.ts'
import { fenceText } from './fence-text.ts'

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
])('shows a value in a few words (%#)', (value, description) => {
  expect(describeValue(value)).toBe(description)
})

test('long texts, names and lists of names are cut', () => {
  expect(describeValue('x'.repeat(61))).toBe(`string "${'x'.repeat(60)}…"`)
  expect(describeValue('x'.repeat(60))).toBe(`string "${'x'.repeat(60)}"`)
  expect(describeValue({ ['k'.repeat(1000)]: 1 })).toBe(`object with "${'k'.repeat(59)}…`)
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index]))
  expect(describeValue(many)).toMatch(/^object with k0, k1, .{45,}…$/)
})

test('a cut never splits a character', () => {
  expect(quoteBriefly(`${'x'.repeat(59)}😀!`)).toBe(`"${'x'.repeat(59)}…"`)
})

test('a name is in quotes, unchanged', () => {
  expect(quoteName('read_file')).toBe('"read_file"')
})

test('a name cannot end its quotes or its line', () => {
  const name = fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', '\\', '\n', '\r', '\u2028', '\u0085', '\u001B', '\u202E'),
      fc.string(),
    ),
  })
  fc.assert(
    fc.property(name, (original) => {
      const quoted = quoteName(original)
      expect(quoted).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E]/u)
      expect(JSON.parse(quoted)).toBe(original)
    }),
  )
})

test.for<[unknown, string]>([
  ['a', 'a'],
  [7, '7'],
  [false, 'false'],
  [null, 'null'],
  [undefined, 'undefined'],
  [['a'], '["a"]'],
  [{ toString: false }, '{"toString":false}'],
])('%j is %s', ([value, text]) => {
  expect(formatValue(value)).toBe(text)
})

test('any JSON has a text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(typeof formatValue(value)).toBe('string')
    }),
  )
})

test('a value that JSON cannot represent has a text, also one that nests deeper than the engine can write', () => {
  let value: unknown = []
  for (let depth = 0; depth < 100_000; depth++) value = [value]
  // V8 14 (Node.js 26) writes any depth.
  expect(formatValue(value)).toMatch(/^\[(?:object Array\]$|\[)/)
  expect(formatValue([1n])).toBe('[object Array]')
})

test('a fence is longer than any run of backticks in the text', () => {
  expect(fenceText('a')).toBe('```\na\n```')
  expect(fenceText('a ```` b ``` c')).toBe('`````\na ```` b ``` c\n`````')
  const long = '`'.repeat(100)
  expect(fenceText(long)).toBe(`${long}\`\n${long}\n${long}\``)
})

test('a line feed at the end is not doubled, and an empty text has no line', () => {
  expect(fenceText('a\n')).toBe('```\na\n```')
  expect(fenceText('')).toBe('```\n```')
})

test('a tag is one plain word or empty', () => {
  expect(fenceText('a', 'c++')).toBe('```c++\na\n```')
  for (const tag of ['a b', 'a`', 'a\n', 'x'.repeat(33)])
    expect(fenceText('a', tag)).toBe('```\na\n```')
})
