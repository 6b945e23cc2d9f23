import { type JsonObject, type Problem, isJsonObject } from '@toolblocks/protocol'
import { splitPointer } from '@toolblocks/protocol/internal'
import { didYouMean, formatSuggestions } from '../../terminal/did-you-mean.ts'
import { configurationSchema } from './configuration-schema.ts'
import type { Diagnostic } from './configuration.ts'

/** The types of JSON Schema. */
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** Returns a problem of a configuration, in the words of its schema. */
export function placeProblem(
  problem: Problem,
  value: JsonObject,
  schema: JsonObject = configurationSchema,
): Diagnostic {
  const path = splitPointer(problem.path)
  const name = path.at(-1) ?? ''
  if (problem.code === 'additionalProperties') {
    const known = keysAt(schema, path.slice(0, -1))
    // A rule has its effect in its text.
    const isEffect = path[0] === 'approvals' && ['allow', 'ask', 'deny'].includes(name)
    const example = isEffect ? `, such as rules = ["${name} git(command^=git push)"]` : ''
    const message = `is not a known key${formatSuggestions(name, known, 'expected')}${example}`
    return { path, message }
  }
  if (problem.path === '/store/url' && problem.code === 'pattern')
    return { path, message: `expected "sqlite:PATH" or "postgres://…", got ${problem.got}` }
  if (path[0] === 'budget' && problem.code === 'pattern')
    return { path, message: `expected a number of characters, or "all", got ${problem.got}` }
  return { path, message: withSuggestion(problem, value, wordsAt(schema, path)) }
}

/** Returns a problem that was found by a schema which starts at `base` in the configuration. */
export function placeSchemaProblem(
  problem: Problem,
  base: readonly string[],
  schema: JsonObject,
): Diagnostic {
  const path = [...base, ...splitPointer(problem.path)]
  return { path, message: withSuggestion(problem, schema, TYPES) }
}

function withSuggestion(
  problem: Problem,
  value: JsonObject,
  candidates: readonly string[],
): string {
  const typed = valueAt(value, splitPointer(problem.path))
  return typeof typed === 'string'
    ? `${problem.message}${didYouMean(typed, candidates)}`
    : problem.message
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (container, step) =>
      typeof container === 'object' && container !== null && Object.hasOwn(container, step)
        ? Reflect.get(container, step)
        : undefined,
    value,
  )
}

/** Returns the subschemas that check the value at a path, with all alternatives. */
function schemasAt(schema: unknown, path: readonly string[]): readonly JsonObject[] {
  if (!isJsonObject(schema)) return []
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  const below = alternatives.flatMap((alternative) => schemasAt(alternative, path))
  const [step, ...rest] = path
  if (step === undefined) return [schema, ...below]
  const { properties, additionalProperties, items } = schema
  const isNamed = isJsonObject(properties) && Object.hasOwn(properties, step)
  const next = isNamed ? properties[step] : (additionalProperties ?? items)
  return [...schemasAt(next, rest), ...below]
}

/** Returns the keys that a table at a path may have. */
function keysAt(schema: JsonObject, path: readonly string[]): readonly string[] {
  return schemasAt(schema, path).flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  )
}

/** Returns the words that a value at a path may be. */
function wordsAt(schema: JsonObject, path: readonly string[]): readonly string[] {
  return schemasAt(schema, path)
    .flatMap(({ enum: values }): readonly unknown[] => (Array.isArray(values) ? values : []))
    .filter((value) => typeof value === 'string')
}
