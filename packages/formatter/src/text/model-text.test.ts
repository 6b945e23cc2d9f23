import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneLine } from './model-text.ts'

test.for([
  ['tag characters', 'a\u{E0041}\u{E007F}b', 'ab'],
  ['the Arabic letter mark', 'a\u061Cb', 'ab'],
  ['the Hangul filler', 'a\u3164b', 'ab'],
  ['the soft hyphen', 'a\u00ADb', 'ab'],
  ['variation selectors', 'a\u{E0100}\uFE0F', 'a'],
  ['controls', 'a\u001B[31m\u009Bb', 'a[31mb'],
  ['private characters', 'a\uE000\u{F0000}b', 'ab'],
  ['half characters', 'a\uD800b', 'ab'],
  ['line ends and wide blanks', 'a\r\n\u2028\u0085\u3000\u2800b', 'a b'],
] as const)('%s are removed from a line', ([, text, line]) => {
  expect(oneLine(text)).toBe(line)
})

test('printable characters are unchanged', () => {
  const text = 'naïve 日本語 🦀 «x» [::1] \\n'
  expect(oneLine(text)).toBe(text)
})

test('a line is cut after 200 characters, never inside a character', () => {
  expect(oneLine('x'.repeat(200))).toBe('x'.repeat(200))
  expect(oneLine('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`)
  expect(oneLine(`${'x'.repeat(199)}🦀🦀`)).toBe(`${'x'.repeat(199)}…`)
})

test('ASCII blanks are single, and the line neither begins nor ends with one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary-ascii', maxLength: 150 }), (text) => {
      // oxlint-disable-next-line no-control-regex -- controls are what goes
      const terms = text.replaceAll(/[\0-\x08\x0E-\x1F\x7F]/g, '').split(/\s+/)
      expect(oneLine(text)).toBe(terms.filter((word) => word !== '').join(' '))
    }),
  )
})

test('law: a line is printable text, for any input', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(oneLine(text)).toMatch(
        /^[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]*$|\p{Cn}/u,
      )
      expect(oneLine(text)).toBe(oneLine(oneLine(text)))
    }),
  )
})
