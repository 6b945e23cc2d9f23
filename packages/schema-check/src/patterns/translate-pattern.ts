import type { AST } from '@eslint-community/regexpp'
import { ALL, DIGITS, invert, LINE_ENDS, SPACE, unite, WORD } from './code-points.ts'
import type { CodePoints } from './code-points.ts'
import {
  alternatives,
  assertion,
  oneOf,
  repetition,
  sequence,
  type LinearSource,
} from './linear-syntax.ts'
import { codePointsOfProperty } from './unicode-property.ts'

/** What a pattern needs that no engine can do in linear time, or that is not translated. */
class NotLinear extends Error {}

const MOST_STEPS = 1e6

/** Writes an ECMAScript pattern (flag `u`) in the syntax of the linear engine; throws what it cannot. */
export function translatePattern(pattern: AST.Pattern): LinearSource {
  const translated = translateAlternatives(pattern.alternatives)
  return isWhole(pattern) ? translated : { ...translated, longest: Infinity }
}

/** Whether the pattern speaks of the whole text, so that no longer text matches. */
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
      throw new NotLinear('it refers back to what a group matched')
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
      throw new NotLinear('it looks ahead or behind')
  }
}

function translateQuantifier({ element, min, max }: AST.Quantifier): LinearSource {
  const part = translateElement(element)
  const counted = max === Infinity ? min : max
  if (part.size * counted > MOST_STEPS) throw new NotLinear('it counts too far')
  return repetition(part, min, max)
}

function translateCharacters(
  element: AST.Character | AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass,
): LinearSource {
  return oneOf(codePointsOf(element))
}

function codePointsOf(
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
      const set = unite(element.elements.map(codePointsOf))
      return element.negate ? invert(set) : set
    }
    case 'ClassStringDisjunction':
    case 'ExpressionCharacterClass':
      throw new NotLinear('it calculates with classes')
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
