import fc from 'fast-check'
import { readPattern } from './read-pattern.ts'

const points = [
  'a',
  'b',
  'Z',
  '0',
  '9',
  '_',
  '-',
  ' ',
  '\t',
  '\n',
  '\r',
  '\v',
  '\0',
  '"',
  '.',
  '/',
  '\u0085',
  '\u00a0',
  '\u00e9',
  '\u0130',
  '\u017f',
  '\u1680',
  '\u180e',
  '\u2003',
  '\u2028',
  '\u2029',
  '\u212a',
  '\u3000',
  '\ufeff',
  '\uffff',
  '世',
  'ß',
  'Ω',
  '😀',
  '\u{10ffff}',
  '\ud83d',
  '\ude00',
] as const

const character = fc.constantFrom(
  'a',
  'b',
  'Z',
  '0',
  '_',
  ' ',
  '-',
  'é',
  '世',
  '😀',
  '\u00a0',
  '\u2028',
  '\ud83d',
  '\\ude00',
  '\\n',
  '\\r',
  '\\t',
  '\\v',
  '\\f',
  '\\0',
  '\\cA',
  '\\x41',
  '\\u0061',
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '\\ud83d',
  '\\.',
  '\\/',
  '\\\\',
  '\\$',
  '\\^',
  '\\{',
  '\\|',
)
const set = fc.constantFrom(
  '\\d',
  '\\D',
  '\\s',
  '\\S',
  '\\w',
  '\\W',
  '\\p{L}',
  '\\P{L}',
  '\\p{Script=Greek}',
  '\\p{Lu}',
  '\\p{Cs}',
  '\\p{Any}',
  '\\p{ASCII}',
  '\\p{Emoji}',
)
const range = fc.constantFrom('a-z', '0-9', 'A-Z', '\\x00-\\x7f', '\\u4e00-\\u9fa5', ' -~')
const lastRange = fc.constantFrom('\\ud800-\\udfff', '\\u{10000}-\\u{10ffff}', '^', '[', '(')
const inside = fc.oneof(
  character.filter((text) => text !== '-'),
  set,
  range,
  lastRange,
)
const characters = fc
  .tuple(fc.constantFrom('', '^'), fc.array(inside, { maxLength: 4 }))
  .map(([negation, parts]) => `[${negation}${parts.join('')}]`)
const quantifier = fc.constantFrom(
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{1,3}',
  '{2,}',
  '{0,2}?',
  '{0}',
)

const { alternation } = fc.letrec<{
  atom: string
  term: string
  sequence: string
  alternation: string
}>((tie) => ({
  atom: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    character.filter((text) => text !== '-'),
    set,
    characters,
    fc.constant('.'),
    fc
      .tuple(fc.constantFrom('(', '(?:'), tie('alternation'))
      .map(([open, content]) => `${open}${content})`),
  ),
  term: fc.oneof(
    { weight: 4, arbitrary: tie('atom') },
    { weight: 2, arbitrary: fc.tuple(tie('atom'), quantifier).map((parts) => parts.join('')) },
    { weight: 1, arbitrary: fc.constantFrom('^', '$', '\\b', '\\B') },
  ),
  sequence: fc.array(tie('term'), { maxLength: 4 }).map((parts) => parts.join('')),
  alternation: fc
    .array(tie('sequence'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('|')),
}))

const whole = fc
  .tuple(fc.constantFrom('', '^'), alternation, fc.constantFrom('', '$'))
  .map((parts) => parts.join(''))
const text = fc.array(fc.constantFrom(...points), { maxLength: 8 }).map((parts) => parts.join(''))

/** Patterns that a backtracking engine can run too, each with some short texts. */
export const patternsAndTexts = fc.tuple(whole, fc.array(text, { minLength: 1, maxLength: 4 }))

/** Checks that a pattern is refused if the language refuses it, and finds the same; returns the number of comparisons. */
export function agreesWithLanguage([pattern, texts]: [string, string[]]): number {
  const native = findNative(pattern)
  const read = readPattern(pattern)
  const isRefused = read.kind === 'invalid'
  if (isRefused !== (native === undefined))
    throw new Error(`${JSON.stringify(pattern)} is ${read.kind}, ${native ?? 'refused'} natively`)
  if (read.kind !== 'linear' || native === undefined) return 0
  for (const each of texts) {
    if (read.pattern.test(each) === finds(native, each)) continue
    throw new Error(`${JSON.stringify(pattern)} differs on ${JSON.stringify(each)}`)
  }
  return texts.length
}

/** Tries every character: V8 alone also finds empty matches inside surrogate pairs. */
function finds(sticky: RegExp, sample: string): boolean {
  for (let index = 0; index <= sample.length; index += widthAt(sample, index)) {
    sticky.lastIndex = index
    if (sticky.test(sample)) return true
  }
  return false
}

function widthAt(sample: string, index: number): number {
  return (sample.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}

function findNative(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'uy')
  } catch {
    return undefined
  }
}
