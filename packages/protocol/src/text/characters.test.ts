import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  countCharacters,
  takeCodeUnits,
  shortenText,
  formatByteSize,
  getBase64ByteLength,
} from './characters.ts'

const anyText = fc.string({ unit: 'binary' })

test.for([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['abc', 0, ''],
  ['a😀b', 1, 'a'],
  ['a😀b', 2, 'a'],
  ['a😀b', 3, 'a😀'],
  ['a\ud83d', 2, 'a\ud83d'],
] as const)('the first units of %j, at most %i, are %j', ([text, count, first]) => {
  expect(takeCodeUnits(text, count)).toBe(first)
})

test('a text is shortened with a sign, and only if it is too long', () => {
  expect(shortenText('abc', 3)).toBe('abc')
  expect(shortenText('abcd', 3)).toBe('abc…')
  expect(shortenText('ab😀', 3)).toBe('ab…')
})

test('the rest of a text is its beginning, and well-formed if the text is', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, count) => {
      const first = takeCodeUnits(text, count)
      expect(text.startsWith(first)).toBe(true)
      expect(first.length).toBeGreaterThanOrEqual(Math.min(count, text.length) - 1)
      expect(first.length).toBeLessThanOrEqual(count)
      expect(first.isWellFormed()).toBe(true)
    }),
  )
})

test('characters are counted like the iterator of a string', () => {
  const anyUnits = fc
    .array(fc.constantFrom('a', '\ud83d', '\ude00', 'é'))
    .map((all) => all.join(''))
  fc.assert(
    fc.property(anyUnits, (text) => {
      expect(countCharacters(text)).toBe(Array.from(text).length)
    }),
  )
})

test.for([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 KB'],
  [1_000_000, '1.0 MB'],
] as const)('%i bytes are %s', ([bytes, formatted]) => {
  expect(formatByteSize(bytes)).toBe(formatted)
})

test('base64 has the length of the encoded bytes', () => {
  for (let size = 0; size < 50; size++)
    expect(getBase64ByteLength(Buffer.alloc(size).toString('base64'))).toBe(size)
  expect(getBase64ByteLength('=')).toBe(0)
})
