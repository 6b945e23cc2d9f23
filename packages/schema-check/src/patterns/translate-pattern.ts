import type { AST } from '@eslint-community/regexpp'
import { createRecentCache } from './recent-cache.ts'

/** Thrown for a pattern that needs more than linear time, or that is not translated. */
class NotLinear extends Error {}

const MAX_STEPS = 1e6

/** Translates an ECMAScript pattern (flag `u`) into the syntax of the linear-time engine. Throws if it cannot. */
export function translatePattern(pattern: AST.Pattern): LinearSource {
  const translated = translateAlternatives(pattern.alternatives)
  return isWhole(pattern) ? translated : { ...translated, longest: Infinity }
}

/** Whether the pattern matches complete texts only. */
function isWhole({ alternatives: parts }: AST.Pattern): boolean {
  return parts.every(
    ({ elements }) => isEdge(elements[0], 'start') && isEdge(elements.at(-1), 'end'),
  )
}

function isEdge(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind
}

function translateAlternatives(parts: readonly AST.Alternative[]): LinearSource {
  const written = parts.map(({ elements }) => sequence(elements.map(translateElement)))
  const [only] = written
  return only !== undefined && written.length === 1 ? only : alternatives(written)
}

function translateElement(element: AST.Element): LinearSource {
  switch (element.type) {
    case 'Assertion':
      return translateAssertion(element)
    case 'Backreference':
      throw new NotLinear('it has a back-reference')
    case 'CapturingGroup':
      return alternatives([translateAlternatives(element.alternatives)])
    case 'Group':
      if (element.modifiers !== null) throw new NotLinear('it changes flags inside a group')
      return alternatives([translateAlternatives(element.alternatives)])
    case 'Quantifier':
      return translateQuantifier(element)
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
    case 'ExpressionCharacterClass':
      return translateCharacters(element)
  }
}

function translateAssertion(element: AST.Assertion): LinearSource {
  switch (element.kind) {
    case 'start':
      return assertion('\\A')
    case 'end':
      return assertion('\\z')
    case 'word':
      return assertion(element.negate ? '\\B' : '\\b')
    case 'lookahead':
    case 'lookbehind':
      throw new NotLinear('it has look-around')
  }
}

function translateQuantifier({ element, min, max }: AST.Quantifier): LinearSource {
  const part = translateElement(element)
  const counted = max === Infinity ? min : max
  if (part.size * counted > MAX_STEPS) throw new NotLinear('it has a count that is too large')
  return repetition(part, min, max)
}

function translateCharacters(
  element: AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass,
): LinearSource {
  return getOne(getCodePoints(element))
}

function getCodePoints(
  element: AST.CharacterClassElement | AST.CharacterSet | AST.CharacterClass,
): CodePoints {
  switch (element.type) {
    case 'Character':
      return [element.value, element.value]
    case 'CharacterClassRange':
      return [element.min.value, element.max.value]
    case 'CharacterSet':
      return codePointsOfSet(element)
    case 'CharacterClass': {
      const set = unite(element.elements.map(getCodePoints))
      return element.negate ? invert(set) : set
    }
    case 'ClassStringDisjunction':
    case 'ExpressionCharacterClass':
      throw new NotLinear('it has an operation on classes')
  }
}

function codePointsOfSet(element: AST.CharacterSet): CodePoints {
  switch (element.kind) {
    case 'any':
      return invert(LINE_ENDS)
    case 'digit':
      return element.negate ? invert(DIGITS) : DIGITS
    case 'space':
      return element.negate ? invert(SPACE) : SPACE
    case 'word':
      return element.negate ? invert(WORD) : WORD
    case 'property':
      return codePointsOfNamed(element)
  }
}

function codePointsOfNamed({ key, value, negate }: AST.UnicodePropertyCharacterSet): CodePoints {
  const expression = value === null ? key : `${key}=${value}`
  const set = expression === 'Any' ? ALL : codePointsOfProperty(expression)
  return negate ? invert(set) : set
}

/** A set of code points: the first and last of each run, in order; `[97, 122]` is a to z. */
type CodePoints = readonly number[]

const LAST_CODE_POINT = 0x10ffff

const ALL: CodePoints = [0, LAST_CODE_POINT]

/** ECMAScript's `\d`. */
const DIGITS: CodePoints = [0x30, 0x39]

/** ECMAScript's `\w`, case-sensitive. */
const WORD: CodePoints = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]

/** ECMAScript's `\s`: white space and line ends, including U+FEFF. */
const SPACE: CodePoints = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f,
  0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff,
]

/** The line ends for `.`. */
const LINE_ENDS: CodePoints = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]

/** Returns the union of some sets. */
function unite(sets: readonly CodePoints[]): CodePoints {
  const runs = sets.flatMap(getRuns).toSorted(([a], [b]) => a - b)
  const united: number[] = []
  for (const [first, last] of runs) {
    const end = united.at(-1)
    if (end !== undefined && first <= end + 1) united[united.length - 1] = Math.max(end, last)
    else united.push(first, last)
  }
  return united
}

/** Returns the complement of a set. */
function invert(set: CodePoints): CodePoints {
  const inverted: number[] = []
  let next = 0
  for (const [first, last] of getRuns(set)) {
    if (first > next) inverted.push(next, first - 1)
    next = last + 1
  }
  if (next <= LAST_CODE_POINT) inverted.push(next, LAST_CODE_POINT)
  return inverted
}

/** Returns the runs of a set, first and last of each. */
function getRuns(set: CodePoints): (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = []
  for (let index = 0; index + 1 < set.length; index += 2)
    runs.push([set[index] ?? 0, set[index + 1] ?? 0])
  return runs
}

/** A part of a pattern for the linear-time engine. */
export interface LinearSource {
  source: string
  /** Approximate steps of the compiled program. */
  size: number
  /** UTF-16 units of its longest match. */
  longest: number
}

/** Returns a source that matches no character. */
function assertion(source: string): LinearSource {
  return { source, size: 1, longest: 0 }
}

/** Returns a class of code points, each written as a number, so that no character has a special meaning. */
function getOne(set: CodePoints): LinearSource {
  const runs = getRuns(set)
  const longest = runs.some(([, last]) => last > 0xffff) ? 2 : 1
  const size = 1 + Math.floor(runs.length / 64)
  const [first] = runs
  if (first === undefined) return { source: `[^${run([0, 0x10ffff])}]`, size, longest }
  if (runs.length === 1 && first[0] === first[1]) return { source: hex(first[0]), size, longest }
  return { source: `[${runs.map(run).join('')}]`, size, longest }
}

/** Concatenates parts. */
function sequence(parts: readonly LinearSource[]): LinearSource {
  return {
    source: parts.map(({ source }) => source).join(''),
    size: parts.reduce((sum, { size }) => sum + size, 0),
    longest: parts.reduce((sum, { longest }) => sum + longest, 0),
  }
}

/** Joins alternatives. */
function alternatives(parts: readonly LinearSource[]): LinearSource {
  return {
    source: `(?:${parts.map(({ source }) => source).join('|')})`,
    size: parts.reduce((sum, { size }) => sum + size + 1, 0),
    longest: parts.reduce((most, { longest }) => Math.max(most, longest), 0),
  }
}

/** The engine's maximum for one repetition. */
const MAX_AT_ONCE = 1000

/** Repeats a part. Greedy or not, it finds the same texts. */
function repetition(part: LinearSource, min: number, max: number): LinearSource {
  const group = `(?:${part.source})`
  const optional = max === Infinity ? Number(min === 0) : max - min
  return {
    source: quantifiers(min, max)
      .map((quantifier) => group + quantifier)
      .join(''),
    size: part.size * min + (part.size + 1) * optional + 1,
    longest: part.longest === 0 || max === 0 ? 0 : part.longest * max,
  }
}

function quantifiers(min: number, max: number): string[] {
  const always = chunks(min).map((count) => `{${count}}`)
  if (max === Infinity) return [...always, '*']
  return max === 0 ? ['{0}'] : [...always, ...chunks(max - min).map((count) => `{0,${count}}`)]
}

function chunks(count: number): number[] {
  const full = Array.from({ length: Math.floor(count / MAX_AT_ONCE) }, () => MAX_AT_ONCE)
  const rest = count % MAX_AT_ONCE
  return rest === 0 ? full : [...full, rest]
}

function run([first, last]: readonly [number, number]): string {
  return first === last ? hex(first) : `${hex(first)}-${hex(last)}`
}

function hex(point: number): string {
  return `\\x{${point.toString(16)}}`
}

const known = createRecentCache<CodePoints>({ entries: 64, characters: 64 * 1024 })

/**
 * Returns the code points of a Unicode property, for example `Script=Greek`, from the language itself, because another engine may have tables of
 * another Unicode version. Throws for an unknown property.
 */
function codePointsOfProperty(expression: string): CodePoints {
  return known(expression, () => {
    const property = new RegExp(`\\p{${expression}}`, 'u')
    const bounds: number[] = []
    let isInside = false
    for (let point = 0; point <= LAST_CODE_POINT; point++) {
      const has = property.test(String.fromCodePoint(point))
      if (has !== isInside) bounds.push(has ? point : point - 1)
      isInside = has
    }
    return isInside ? [...bounds, LAST_CODE_POINT] : bounds
  })
}
