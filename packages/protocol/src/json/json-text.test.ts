import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, escapeUnprintable, scanJson } from './json-text.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const values = (count: number): string => `[${'0,'.repeat(count - 2)}0]`

test('64 levels are accepted, 65 are not', () => {
  expect(scanJson(nested(64)).exceeds).toBeUndefined()
  expect(scanJson(nested(65)).exceeds).toBe('depth')
  expect(scanJson(`[${nested(63)},${nested(63)}]`).exceeds).toBeUndefined()
})

test('1,000,000 values are accepted, one more is not', () => {
  expect(scanJson(values(1_000_000)).exceeds).toBeUndefined()
  expect(scanJson(values(1_000_001)).exceeds).toBe('nodes')
  expect(scanJson(`[${'{ },'.repeat(999_998)}{\n}]`).exceeds).toBeUndefined()
  expect(scanJson(`{${'"a":0,'.repeat(1_000_000)}"a":0}`).exceeds).toBe('nodes')
})

test('brackets inside strings are not counted', () => {
  for (const inside of ['[', '\\"[', '\\\\\\"[', ',', '\\u005b']) {
    expect(scanJson(`["${inside.repeat(1_100_000)}"]`).exceeds).toBeUndefined()
  }
  expect(scanJson(`["\\\\",${nested(64)}]`).exceeds).toBe('depth')
})

test('text that is not JSON is scanned without an error', () => {
  for (const text of ['', '"', '["', '"\\', ']]]', ',,,', '{{{']) {
    expect(scanJson(text).exceeds).toBeUndefined()
  }
  expect(scanJson('['.repeat(4_000_000)).exceeds).toBe('depth')
})

// A step that scans the complete run again would take hours.
test('millions of backslashes or quotes are scanned without an error', () => {
  for (const run of ['\\', '\\"', '"'])
    expect(scanJson(`["${run.repeat(4_000_000)}`).exceeds).toBeUndefined()
})

test('the counted levels are those of the document', () => {
  const getDepth = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0
    return 1 + Math.max(0, ...Object.values(value).map(getDepth))
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(70), (value, levels) => {
      const text = '['.repeat(levels) + JSON.stringify(value) + ']'.repeat(levels)
      expect(scanJson(text).exceeds).toBe(levels + getDepth(value) > 64 ? 'depth' : undefined)
    }),
  )
})

test('the counted values are those of the document', () => {
  const count = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 1
      : Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1)
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      expect(scanJson(JSON.stringify(value, null, 1)).nodes).toBe(count(value))
    }),
  )
})

test('a lower limit of values is possible', () => {
  expect(scanJson('[1,2,3]', 4)).toEqual({ nodes: 4 })
  expect(scanJson('[1,2,3]', 3)).toEqual({ nodes: 4, exceeds: 'nodes' })
})

test('every JSON value is read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(parseJson(JSON.stringify(value)))).toBe(JSON.stringify(value))
    }),
  )
})

test.for(['', ' ', '{', "'a'", 'undefined', 'NaN', '1 2', '{"a":1,}', '\ufeff1'])(
  '%j is not JSON, and no error is thrown',
  (text) => {
    expect(parseJson(text)).toBeUndefined()
  },
)

test('"null" is a value and differs from invalid JSON', () => {
  expect(parseJson('null')).toBeNull()
})

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
  expect(escapeUnprintable(JSON.stringify(text))).toBe(`"${escaped}"`)
})

test('printable characters and the layout are unchanged', () => {
  const json = JSON.stringify({ ä: ['漢字 😀 e\u0301', 1, true, null, ' '] }, null, 2)
  expect(escapeUnprintable(json)).toBe(json)
})

test('the text parses to the same value, and its only control characters are line feeds between values', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ stringUnit: 'binary' }),
      fc.constantFrom(0, 2),
      (value, indentation) => {
        const json = JSON.stringify(value, null, indentation)
        const printable = escapeUnprintable(json)
        expect(JSON.stringify(JSON.parse(printable))).toBe(JSON.stringify(value))
        // oxlint-disable-next-line no-control-regex -- what must not be there
        expect(printable).not.toMatch(/[\0-\x09\x0B-\x1F\x7F-\x9F\p{Cf}\p{Surrogate}]/u)
      },
    ),
    { numRuns: 2000 },
  )
})
