import { isJsonObject } from '@toolblocks/protocol'
import type { Budget, CountSteps } from './budget.ts'
import { arraySteps } from './array-steps.ts'
import { objectSteps } from './object-steps.ts'
import { scalarSteps } from './scalar-steps.ts'

/** What a schema knows of the document it stands in. */
export interface SchemaSurroundings {
  /** The schema a `$ref` names. */
  resolve(reference: string): unknown
  /** Counts a schema inside it. */
  counterOf(schema: unknown): CountSteps
  /** Whether the document asks which members and items were evaluated: then every schema keeps a list. */
  keepsEvaluated: boolean
}

/**
 * Counts the steps of a whole check without running it, by walking through schema and value together as the check will:
 * every alternative is counted, so the check takes no more. Returns `undefined` where they are more than `limit`.
 */
export type CountCheck = (value: unknown, limit: number) => number | undefined

/** Prepares counting for a document; what each schema costs is worked out when a value first meets it. */
export function createStepCounter(
  root: unknown,
  { resolve, keepsEvaluated }: Omit<SchemaSurroundings, 'counterOf'>,
): CountCheck {
  const counters = new Map<unknown, CountSteps>()
  const counterOf = (schema: unknown): CountSteps => {
    if (!isJsonObject(schema)) return countBoolean
    const known = counters.get(schema)
    if (known) return known
    let counter: CountSteps | undefined
    // A schema may contain itself, so its parts are looked at when the first value comes.
    const lazy: CountSteps = (value, budget) => {
      counter ??= countSchema(schema, { resolve, counterOf, keepsEvaluated })
      counter(value, budget)
    }
    counters.set(schema, lazy)
    return lazy
  }
  const count = counterOf(root)
  return (value, limit) => {
    const budget = { left: limit }
    count(value, budget)
    return budget.left < 0 ? undefined : limit - budget.left
  }
}

/** Entering a schema, in the walk and in the check. */
const ENTRY = 3

const countBoolean: CountSteps = (_value, budget) => {
  budget.left -= 1
}

function countSchema(
  schema: Record<string, unknown>,
  surroundings: SchemaSurroundings,
): CountSteps {
  const fixed = ENTRY + Object.keys(schema).length
  const { any, string: ofString } = scalarSteps(schema)
  const ofAny = [...inPlaceSteps(schema, surroundings), ...any]
  const ofObject = objectSteps(schema, surroundings)
  const ofArray = arraySteps(schema, surroundings)
  return (value, budget) => {
    budget.left -= fixed
    run(ofAny, value, budget)
    if (typeof value === 'string') run(ofString, value, budget)
    else if (Array.isArray(value)) run(ofArray, value, budget)
    else if (isJsonObject(value)) run(ofObject, value, budget)
  }
}

function run<Value>(
  steps: readonly ((value: Value, budget: Budget) => void)[],
  value: Value,
  budget: Budget,
): void {
  for (const step of steps) {
    if (budget.left < 0) return
    step(value, budget)
  }
}

/** An alternative that fails leaves an error behind. */
const ALTERNATIVE = 12
const CALL = 4

function inPlaceSteps(
  schema: Record<string, unknown>,
  { resolve, counterOf }: SchemaSurroundings,
): CountSteps[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list: unknown = schema[keyword]
    return Array.isArray(list) ? list.map((entry) => costing(ALTERNATIVE, counterOf(entry))) : []
  })
  const singles = ['not', 'if', 'then', 'else']
    .filter((keyword) => Object.hasOwn(schema, keyword))
    .map((keyword) => costing(CALL, counterOf(schema[keyword])))
  const reference = schema['$ref']
  const target = typeof reference === 'string' ? [costing(CALL, counterOf(resolve(reference)))] : []
  return [...lists, ...singles, ...target]
}

function costing(steps: number, count: CountSteps): CountSteps {
  return (value, budget) => {
    budget.left -= steps
    if (budget.left >= 0) count(value, budget)
  }
}
