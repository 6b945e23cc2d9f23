import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printableJson } from './printable-json.ts'

test.for([
  ['C1 controls and DEL', '\u009B2J\u009D\u0085\u007F', String.raw`\u009b2J\u009d\u0085\u007f`],
  [
    'what turns the order of letters',
    '\u202E\u2066\u061C\u200F',
    String.raw`\u202e\u2066\u061c\u200f`,
  ],
  ['tags', '\u{E0041}', String.raw`\udb40\udc41`],
  [
    'what has no glyph',
    '\u200B\u00AD\u3164\uFE0F\uFEFF',
    String.raw`\u200b\u00ad\u3164\ufe0f\ufeff`,
  ],
  ['line separators', '\u2028\u2029', String.raw`\u2028\u2029`],
  ['noncharacters', '\uFFFE\u{1FFFF}', String.raw`\ufffe\ud83f\udfff`],
  ['half a character', '\uD800', String.raw`\ud800`],
])('%s are escaped', ([, text, escaped]) => {
  expect(printableJson(JSON.stringify(text))).toBe(`"${escaped}"`)
})

test('what prints stays, and so does the shape', () => {
  const json = JSON.stringify({ ä: ['漢字 😀 e\u0301', 1, true, null, ' '] }, null, 2)
  expect(printableJson(json)).toBe(json)
})

test('it parses to the same value, and holds no control but the line feeds between values', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.constantFrom(0, 2),
      (value, indentation) => {
        const json = JSON.stringify(value, null, indentation)
        const printable = printableJson(json)
        expect(JSON.stringify(JSON.parse(printable))).toBe(JSON.stringify(value))
        // oxlint-disable-next-line no-control-regex -- what must not be there
        expect(printable).not.toMatch(/[\0-\x09\x0B-\x1F\x7F-\x9F\p{Cf}\p{Surrogate}]/u)
      },
    ),
    { numRuns: 2000 },
  )
})
