import { getErrorText } from '@toolblocks/protocol/internal'
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { RE2JS } from 're2js'
import { type LinearSource, translatePattern } from './translate-pattern.ts'
import { createRecentCache } from './recent-cache.ts'

/**
 * A usable pattern. `invalid`: not an ECMAScript pattern under the flag `u`, which JSON Schema requires. `unusable`: it takes more than linear
 * time, or too large a program. `weight`: the cost of reading it, in steps.
 */
type ReadPattern = { weight: number } & (
  | { kind: 'linear'; pattern: LinearPattern }
  | { kind: 'invalid' | 'unusable'; reason: string }
)

/** A pattern for the linear-time engine. */
interface LinearPattern extends LinearSource {
  test(text: string): boolean
}

/** Maximum steps of the program of one pattern. */
const MAX_SIZE = 10_000

/** Asking the language for a property takes about ten milliseconds, so it counts like a long pattern. */
const PROPERTY_WEIGHT = 2000

const MAX_PROPERTIES = 5

const readBefore = createRecentCache<ReadPattern>({ entries: 1024, characters: 256 * 1024 })

const parser = new RegExpParser()

/** Parses a pattern by the ECMAScript grammar and translates it for an engine with linear time. */
export function readPattern(pattern: string): ReadPattern {
  return readBefore(pattern, () => {
    try {
      return translate(parser.parsePattern(pattern, 0, pattern.length, { unicode: true }))
    } catch (error) {
      const kind = error instanceof SyntaxError ? 'invalid' : 'unusable'
      return { kind, reason: getErrorText(error), weight: pattern.length }
    }
  })
}

function translate(parsed: AST.Pattern): ReadPattern {
  const properties = countProperties(parsed)
  const weight = parsed.raw.length + properties * PROPERTY_WEIGHT
  if (properties > MAX_PROPERTIES)
    return { kind: 'unusable', reason: `it names ${properties} Unicode properties`, weight }
  try {
    const written = translatePattern(parsed)
    if (written.size <= MAX_SIZE)
      return { kind: 'linear', pattern: compile(written), weight: weight + written.size }
    return { kind: 'unusable', reason: `its program has more than ${MAX_SIZE} steps`, weight }
  } catch (error) {
    return { kind: 'unusable', reason: getErrorText(error), weight }
  }
}

function countProperties(pattern: AST.Pattern): number {
  let count = 0
  visitRegExpAST(pattern, {
    onCharacterSetEnter: ({ kind }) => {
      count += Number(kind === 'property')
    },
  })
  return count
}

/** Engines cache states, some bytes for each step. They are discarded after this number. */
const KEEPS_STATES_FOR = 5_000_000

const engines = new Map<string, RE2JS>()

let spent = 0

function engineFor(source: string, steps: number): RE2JS {
  spent += steps
  if (spent > KEEPS_STATES_FOR || engines.size > MAX_SIZE) {
    engines.clear()
    spent = 0
  }
  const known = engines.get(source)
  const engine = known ?? RE2JS.compile(source)
  if (!known) engines.set(source, engine)
  return engine
}

function compile(written: LinearSource): LinearPattern {
  const { source, size, longest } = written
  engineFor(source, size)
  const test = (text: string): boolean =>
    text.length <= longest && engineFor(source, text.length * size).test(text)
  return { ...written, test }
}
