import { isJsonObject } from '@toolblocks/protocol'
import { isScalar } from '../keywords/canonical-json.ts'
import { readPattern } from '../patterns/read-pattern.ts'
import { measureJson } from './measure-json.ts'

/**
 * Counts the steps of a complete check without running it, by walking through schema and value like the check. Every alternative is counted, so the
 * check takes no more steps. Returns `undefined` if there are more than `limit`.
 */
export type CountCheck = (value: unknown, limit: number) => number | undefined

/** The remaining steps of a check. Below zero, counting ends. */
interface Budget {
  left: number
}

/** Counts the maximum steps of applying a keyword to a value. */
type CountSteps = (value: unknown, budget: Budget) => void

/** The document around a schema. */
interface SchemaSurroundings {
  /** Returns the schema that a `$ref` names. */
  resolve(reference: string): unknown
  /** Returns the counter of a subschema. */
  getCounter(schema: unknown): CountSteps
  /** Whether the document uses unevaluated members or items: then every schema keeps a list. */
  keepsEvaluated: boolean
}

/** Creates the step counter of a document. The cost of each schema is computed when the first value reaches it. */
export function createStepCounter(
  root: unknown,
  { resolve, keepsEvaluated }: Omit<SchemaSurroundings, 'getCounter'>,
): CountCheck {
  const counters = new Map<unknown, CountSteps>()
  const getCounter = (schema: unknown): CountSteps => {
    if (!isJsonObject(schema)) return countBoolean
    const known = counters.get(schema)
    if (known) return known
    let counter: CountSteps | undefined
    // A schema may contain itself, so its parts are read when the first value arrives.
    const lazy: CountSteps = (value, budget) => {
      counter ??= countSchema(schema, { resolve, getCounter, keepsEvaluated })
      counter(value, budget)
    }
    counters.set(schema, lazy)
    return lazy
  }
  const count = getCounter(root)
  return (value, limit) => {
    const budget = { left: limit }
    count(value, budget)
    return budget.left < 0 ? undefined : limit - budget.left
  }
}

/** Steps for entering a schema, in the count and in the check. */
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

/** A failed alternative leaves an error behind. */
const ALTERNATIVE = 12

const CALL = 4

function inPlaceSteps(
  schema: Record<string, unknown>,
  { resolve, getCounter }: SchemaSurroundings,
): CountSteps[] {
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list: unknown = schema[keyword]
    return Array.isArray(list) ? list.map((entry) => costing(ALTERNATIVE, getCounter(entry))) : []
  })
  const singles = ['not', 'if', 'then', 'else']
    .filter((keyword) => Object.hasOwn(schema, keyword))
    .map((keyword) => costing(CALL, getCounter(schema[keyword])))
  const reference = schema['$ref']
  const target =
    typeof reference === 'string' ? [costing(CALL, getCounter(resolve(reference)))] : []
  return [...lists, ...singles, ...target]
}

function costing(steps: number, count: CountSteps): CountSteps {
  return (value, budget) => {
    budget.left -= steps
    if (budget.left >= 0) count(value, budget)
  }
}

/** Counts the maximum steps of applying a keyword to an object. */
type CountMembers = (object: Record<string, unknown>, budget: Budget) => void

/** Returns the counter of keywords for the members of an object. */
function objectSteps(
  schema: Record<string, unknown>,
  surroundings: SchemaSurroundings,
): CountMembers[] {
  const steps = [
    countNames(schema),
    countProperties(schema, surroundings),
    countDependent(schema, surroundings),
    countEveryMember(schema, surroundings),
  ]
  return steps.filter((step) => step !== undefined)
}

/** Counts names that are looked up in the value, whether it has them or not. */
function countNames(schema: Record<string, unknown>): CountMembers | undefined {
  const { required } = schema
  const dependent = getDependencies(schema).map(([, value]) => value)
  const names = [required, ...dependent].filter(Array.isArray)
  const count = names.reduce((sum, list) => sum + list.length, dependent.length)
  if (count === 0) return undefined
  return (_object, budget) => {
    budget.left -= 2 * count
  }
}

function getDependencies(schema: Record<string, unknown>): [string, unknown][] {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) => {
    const map = schema[keyword]
    return isJsonObject(map) ? Object.entries(map) : []
  })
}

function countProperties(
  { properties }: Record<string, unknown>,
  { getCounter }: SchemaSurroundings,
): CountMembers | undefined {
  if (!isJsonObject(properties)) return undefined
  const counters = Object.entries(properties).map(([name, property]) => {
    return { name, count: getCounter(property) }
  })
  return (object, budget) => {
    budget.left -= 2 * counters.length
    for (const { name, count } of counters) {
      if (budget.left < 0) return
      if (Object.hasOwn(object, name)) count(object[name], budget)
    }
  }
}

function countDependent(
  schema: Record<string, unknown>,
  { getCounter }: SchemaSurroundings,
): CountMembers | undefined {
  const counters = getDependencies(schema)
    .filter(([, value]) => !Array.isArray(value))
    .map(([name, value]) => [name, getCounter(value)] as const)
  if (counters.length === 0) return undefined
  return (object, budget) => {
    for (const [name, count] of counters) {
      if (budget.left < 0) return
      if (Object.hasOwn(object, name)) count(object, budget)
    }
  }
}

const OTHERS = ['additionalProperties', 'unevaluatedProperties']

const PER_MEMBER = 4

/** The engine sorts the names of large objects each time it lists them. */
const PER_MEMBER_OF_MANY = 60

const MANY_MEMBERS = 1000

/** Every schema copies the list of names that its subschemas have evaluated. */
const PER_EVALUATED_MEMBER = 20

/** Counts the work for each member: its name is looked up and matched with patterns, and its value is checked. */
function countEveryMember(
  schema: Record<string, unknown>,
  { getCounter, keepsEvaluated }: SchemaSurroundings,
): CountMembers | undefined {
  const { properties, patternProperties, propertyNames } = schema
  const known = isJsonObject(properties) ? properties : {}
  const patterns = isJsonObject(patternProperties) ? Object.entries(patternProperties) : []
  const others = OTHERS.filter((keyword) => Object.hasOwn(schema, keyword))
  const isNeeded =
    patterns.length + others.length > 0 ||
    keepsEvaluated ||
    ['propertyNames', 'minProperties', 'maxProperties'].some((name) => Object.hasOwn(schema, name))
  if (!isNeeded) return undefined
  const ofName = [
    ...patterns.flatMap(([pattern]) => others.concat('').map(() => countPattern(pattern))),
    ...(propertyNames === undefined ? [] : [getCounter(propertyNames)]),
  ]
  const ofValue = patterns.map(([, subschema]) => getCounter(subschema))
  const ofOther = others.map((keyword) => getCounter(schema[keyword]))
  const perMember = keepsEvaluated ? PER_EVALUATED_MEMBER : PER_MEMBER
  return (object, budget) => {
    const members = Object.keys(object)
    const each = members.length > MANY_MEMBERS ? PER_MEMBER_OF_MANY : perMember
    for (const name of members) {
      budget.left -= each + name.length / 8
      if (budget.left < 0) return
      for (const count of ofName) count(name, budget)
      for (const count of ofValue) count(object[name], budget)
      if (Object.hasOwn(known, name)) continue
      for (const count of ofOther) count(object[name], budget)
    }
  }
}

/** Returns the counter of keywords for the items of an array. */
function arraySteps(
  schema: Record<string, unknown>,
  { getCounter, keepsEvaluated }: SchemaSurroundings,
): CountSteps[] {
  const { items, prefixItems } = schema
  const ofEvery = ['contains', 'additionalItems', 'unevaluatedItems', 'items']
    .filter((keyword) => Object.hasOwn(schema, keyword) && !Array.isArray(schema[keyword]))
    .map((keyword) => countItems(getCounter(schema[keyword])))
  const first = [items, prefixItems].filter(Array.isArray)
  return [
    ...ofEvery,
    ...first.map((list) => countFirst(list.map(getCounter))),
    ...(schema['uniqueItems'] === true ? [countUniqueness] : []),
    ...(keepsEvaluated ? [countItems(countNothing)] : []),
  ]
}

const countNothing: CountSteps = () => undefined

function countItems(count: CountSteps): CountSteps {
  return (value, budget) => {
    if (!Array.isArray(value)) return
    for (const item of value) {
      budget.left -= 1
      if (budget.left < 0) return
      count(item, budget)
    }
  }
}

function countFirst(counters: readonly CountSteps[]): CountSteps {
  return (value, budget) => {
    if (!Array.isArray(value)) return
    for (const [index, count] of counters.entries()) {
      if (budget.left < 0 || index >= value.length) return
      count(value[index], budget)
    }
  }
}

/** Returns the counters of keywords for a value as a whole: for any value, and for strings only. */
function scalarSteps(schema: Record<string, unknown>): {
  any: CountSteps[]
  string: CountSteps[]
} {
  const { enum: allowed, pattern, format } = schema
  const candidates = Array.isArray(allowed) ? allowed : 'const' in schema ? [schema['const']] : []
  const any = candidates.every(isScalar) ? [] : [countEquality]
  const string: CountSteps[] = []
  if ('minLength' in schema || 'maxLength' in schema)
    string.push((value, budget) => {
      budget.left -= getLength(value)
    })
  if (typeof pattern === 'string') string.push(countPattern(pattern))
  if (typeof format === 'string')
    string.push((value, budget) => {
      budget.left -= stepsOfFormat(format, getLength(value))
    })
  return { any, string }
}

/** A program up to this size has few enough states to cache, so its size does not matter. */
const SMALL = 12

/** Counts the steps of finding a pattern in a string. */
function countPattern(source: string): CountSteps {
  const read = readPattern(source)
  if (read.kind !== 'linear') return refuse
  const { size, longest } = read.pattern
  const perCharacter = size <= SMALL ? 4 : 4 + 1.3 * size
  return (value, budget) => {
    const length = getLength(value)
    budget.left -= 30 + (length > longest ? 0 : length * perCharacter)
  }
}

/** A check that cannot be run never starts. */
const refuse: CountSteps = (_value, budget) => {
  budget.left = -1
}

function getLength(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}

/**
 * Counts the steps of checking a text for a format. The formats' regular expressions run on a backtracking engine. Most take linear time, and the
 * slowest of those counts here; `url` tries every place of every "@" and ":".
 */
function stepsOfFormat(format: string, length: number): number {
  switch (format) {
    case 'url':
      return 10 + length + (length * length) / 8
    case 'regex':
      return 10 + 20 * length
    default:
      return 10 + 4 * length
  }
}

const PER_VALUE = 20

const PER_SCALAR = 6

/** Counts the steps of finding equal items. */
const countUniqueness: CountSteps = (value, budget) => {
  if (!Array.isArray(value)) return
  for (const item of value) {
    budget.left -= PER_SCALAR + (typeof item === 'string' ? item.length / 4 : 0)
    if (budget.left < 0) return
    countEquality(item, budget)
  }
}

/** Counts the steps of serializing a value to compare it with others. */
const countEquality: CountSteps = (value, budget) => {
  if (typeof value !== 'object' || value === null) return
  const bounds = { depth: Infinity, nodes: Math.ceil(budget.left / PER_VALUE) }
  const { nodes, characters } = measureJson(value, bounds)
  budget.left -= nodes * PER_VALUE + characters
}
