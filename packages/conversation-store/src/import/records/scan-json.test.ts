import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endOfValue, isBlank, skipBlanks, trimBlanks } from './scan-json.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

test('blanks are those of JSON, and NUL', () => {
  const blanks = Array.from({ length: 256 }, (_, byte) => byte).filter(isBlank)
  expect(blanks).toEqual([0, 0x09, 0x0a, 0x0d, 0x20])
  expect(isBlank(undefined)).toBe(false)
})

test('blanks and commas are skipped, from a place on', () => {
  expect(skipBlanks(bytesOf('a, \n,b'), 1)).toBe(5)
  expect(skipBlanks(bytesOf('b'), 0)).toBe(0)
  expect(skipBlanks(bytesOf(' , '), 0)).toBe(3)
})

test('blanks at both ends are cut off, within two places', () => {
  expect(textOf(trimBlanks(bytesOf('x \ta b\0 y'), 1, 8))).toBe('a b')
  expect(textOf(trimBlanks(bytesOf('   '), 0, 3))).toBe('')
})

describe('the end of a value', () => {
  test('is where its text ends, whatever comes behind it', () => {
    const behind = fc.constantFrom(',', ' ', '}', ']', '\n{"a":"]"}', ',"\\')
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 3), behind, (value, spaces, rest) => {
        const text = JSON.stringify(value, undefined, spaces)
        expect(endOfValue(bytesOf(`[${text}${rest}`), 1)).toBe(1 + bytesOf(text).length)
      }),
    )
  })

  test.for([
    ['""', 2],
    ['"a\\""', 5],
    ['"a\\\\"b', 5],
    ['"\\\\\\""', 6],
    ['\\"a" ', 4],
    ['["]"]', 5],
    ['{"a}":[{}]} ', 11],
    ['12 ', 2],
    ['null,', 4],
    ['true}', 4],
    ['1]', 1],
  ] as const)('of %s is %i', ([text, end]) => {
    expect(endOfValue(bytesOf(text), 0)).toBe(end)
  })

  test.for(['"', '"a\\"', '"\\\\\\"', '[', '["', '[[]', '{"a":1', '12', 'null', ''])(
    'of %s is not there',
    (text) => {
      expect(endOfValue(bytesOf(text), 0)).toBe(-1)
    },
  )
})
