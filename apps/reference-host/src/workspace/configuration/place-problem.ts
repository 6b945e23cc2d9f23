import { pointerSteps, type JsonObject, type Problem } from '@toolblocks/protocol'
import type { PlacedMessage } from './configuration.ts'
import { configurationSchema } from './configuration-schema.ts'
import { keysAt, wordsAt } from './schema-at.ts'
import { didYouMean, didYouMeanOneOf } from '../../terminal/did-you-mean.ts'

/** The types of JSON Schema. */
const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

/** A problem of a configuration in the words of its schema. */
export function placeProblem(
  problem: Problem,
  value: JsonObject,
  schema: JsonObject = configurationSchema,
): PlacedMessage {
  const path = pointerSteps(problem.path)
  const name = path.at(-1) ?? ''
  if (problem.code === 'additionalProperties') {
    const known = keysAt(schema, path.slice(0, -1))
    const message = `is not a known key${didYouMeanOneOf(name, known, 'expected')}`
    return { path, message }
  }
  if (problem.path === '/store/url' && problem.code === 'pattern')
    return { path, message: `expected "sqlite:PATH" or "postgres://…", got ${problem.got}` }
  return { path, message: withSuggestion(problem, value, wordsAt(schema, path)) }
}

/** A problem of a schema that stands in the configuration at `base`. */
export function placeSchemaProblem(
  problem: Problem,
  base: readonly string[],
  schema: JsonObject,
): PlacedMessage {
  const path = [...base, ...pointerSteps(problem.path)]
  return { path, message: withSuggestion(problem, schema, TYPES) }
}

function withSuggestion(problem: Problem, value: JsonObject, words: readonly string[]): string {
  const typed = valueAt(value, pointerSteps(problem.path))
  return typeof typed === 'string'
    ? `${problem.message}${didYouMean(typed, words)}`
    : problem.message
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step)
        ? Reflect.get(at, step)
        : undefined,
    value,
  )
}
