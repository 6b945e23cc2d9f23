import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agreesWithLanguage, patternsAndTexts } from './pattern-law.support.ts'
import { readPattern } from './read-pattern.ts'

function matches(pattern: string, text: string): boolean {
  const read = readPattern(pattern)
  if (read.kind !== 'linear') throw new Error(read.reason)
  return read.pattern.test(text)
}

test('a pattern finds the same matches as in ECMAScript', () => {
  fc.assert(
    fc.property(patternsAndTexts, (sample) => {
      agreesWithLanguage(sample)
    }),
    { numRuns: 1000 },
  )
})

test.for([
  ['^\\S+$', '\u00a0'],
  ['^\\S+$', '\ufeff'],
  ['^.$', '\r'],
  ['^.$', '\u2028'],
  ['^\\w$', 'é'],
  ['^[^\\s]+$', 'a\u3000'],
  ['^\\d$', '٣'],
  ['^a$', 'a\n'],
  ['^.$', '\ud83d\ude00\ud83d'],
] as const)('%s does not match %j', ([pattern, text]) => {
  expect(matches(pattern, text)).toBe(false)
})

test.for([
  ['^\\s$', '\v'],
  ['^\\cJ$', '\n'],
  ['^[^]$', '\n'],
  ['^\\u{1F600}$', '😀'],
  ['^\\uD83D\\uDE00$', '😀'],
  ['^[\\ud800-\\udfff]$', '\ud83d'],
  ['^(?<year>\\d{4})$', '2026'],
  ['^a{1001}$', 'a'.repeat(1001)],
  ['^a{0,2500}$', 'a'.repeat(2500)],
  ['^(?:ab){2}(?:c{2}){2}$', 'ababcccc'],
  ['^\\p{Script=Greek}+$', 'Ωμ'],
  ['^\\P{L}$', '😀'],
] as const)('%s matches its text, number %#', ([pattern, text]) => {
  expect(matches(pattern, text)).toBe(true)
})

test.for([
  '(?i)a',
  '[[:alpha:]]',
  '\\A',
  '\\z',
  '\\Qa\\E',
  'a**',
  '(',
  '[b-a]',
  '\\p{Foo}',
  '[\\w-.]',
])('%s is not a pattern of ECMAScript with the flag u', (pattern) => {
  expect(readPattern(pattern).kind).toBe('invalid')
})

test.for([
  ['(?=a)', 'it has look-around'],
  ['(?<!a)b', 'it has look-around'],
  ['(a)\\1', 'it has a back-reference'],
  ['(?<n>a)\\k<n>', 'it has a back-reference'],
  ['(a{1,1000}){1,1001}', 'it has a count that is too large'],
  ['(a{1,1000}){1,400}', 'its program has more than 10000 steps'],
  ['(?:a{500}){3}', 'error parsing regexp: invalid repeat count: `{3}`'],
  ['a{10001}', 'its program has more than 10000 steps'],
  ['(?i:a)', 'it changes flags inside a group'],
  ['\\p{L}'.repeat(6), 'it names 6 Unicode properties'],
] as const)('%s needs more than the linear engine supports: %s', ([pattern, reason]) => {
  expect(readPattern(pattern)).toMatchObject({ kind: 'unusable', reason })
})

test.for([
  ['^a{3}$', 3, 3],
  ['^a{3,5}$', 5, 5],
  ['^[ab]?c*$', 5, Infinity],
  ['^.{2}$', 2, 4],
  ['^(?:a|bcd)$', 4, 3],
  ['a{3}', 3, Infinity],
  ['^a|b$', 2, Infinity],
  ['^a', 1, Infinity],
  ['a$', 1, Infinity],
  ['a^', 1, Infinity],
  ['$a^', 1, Infinity],
  ['\\ba\\b', 1, Infinity],
  ['', 0, Infinity],
  ['^a$|', 1, Infinity],
  ['^a$|b', 2, Infinity],
  ['b|^a$', 2, Infinity],
  ['^a$|^bcd$', 6, 3],
  ['^(?:){5}$', 2, 0],
  ['^[\\u{10000}a]{0}$', 2, 0],
] as const)(
  'the program of %s has at least %i steps and matches a text of %d units',
  ([pattern, size, longest]) => {
    const read = readPattern(pattern)
    expect(read).toMatchObject({ kind: 'linear', pattern: { longest } })
    expect(read.kind === 'linear' && read.pattern.size).toBeGreaterThanOrEqual(size)
  },
)

test.for([
  ['a', '\\x{61}'],
  ['[a]', '\\x{61}'],
  ['[a-c]', '[\\x{61}-\\x{63}]'],
  ['[aceg]', '[\\x{61}\\x{63}\\x{65}\\x{67}]'],
  ['[]', '[^\\x{0}-\\x{10ffff}]'],
  ['[^]', '[\\x{0}-\\x{10ffff}]'],
  ['^a$', '\\A\\x{61}\\z'],
  ['\\b\\B', '\\b\\B'],
  ['a|b', '(?:\\x{61}|\\x{62})'],
  ['(a)', '(?:\\x{61})'],
  ['(?:a|b)', '(?:(?:\\x{61}|\\x{62}))'],
  ['a*', '(?:\\x{61})*'],
  ['a+?', '(?:\\x{61}){1}(?:\\x{61})*'],
  ['a{2,5}', '(?:\\x{61}){2}(?:\\x{61}){0,3}'],
  ['a{0}', '(?:\\x{61}){0}'],
  ['a{1000}', '(?:\\x{61}){1000}'],
  ['a{2001}', '(?:\\x{61}){1000}(?:\\x{61}){1000}(?:\\x{61}){1}'],
] as const)('%s is written as %s for the linear engine', ([pattern, source]) => {
  expect(readPattern(pattern)).toMatchObject({ kind: 'linear', pattern: { source } })
})

test('a Unicode property counts as much as a long pattern', () => {
  expect(readPattern('\\p{Lu}').weight).toBeGreaterThan(2000)
  expect(readPattern('\\p{Lu}(?=a)').weight).toBeGreaterThan(2000)
  expect(readPattern('[a-z]+').weight).toBeLessThan(50)
})
