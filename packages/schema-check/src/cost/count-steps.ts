import { isJsonObject } from '@toolblocks/protocol'
import { isScalar } from '../keywords/canonical-json.ts'
import { readPattern } from '../patterns/read-pattern.ts'
import { measureJson } from './measure-json.ts'

/**
 * Counts the steps of a whole check without running it, by walking through schema and value together as the check will:
 * every alternative is counted, so the check takes no more. Returns `undefined` where they are more than `limit`.
 */
export type CountCheck = (value: unknown, limit: number) => number | undefined

/** What is left of the steps that one check may take; below zero there is nothing more to count. */
interface Budget {
  left: number
}

/** Counts the steps that applying something to a value takes, at most. */
type CountSteps = (value: unknown, budget: Budget) => void

/** What a schema knows of the document it stands in. */
interface SchemaSurroundings {
  /** The schema a `$ref` names. */
  resolve(reference: string): unknown
  /** Counts a schema inside it. */
  getCounter(schema: unknown): CountSteps
  /** Whether the document asks which members and items were evaluated: then every schema keeps a list. */
  keepsEvaluated: boolean
}

/** Prepares counting for a document; what each schema costs is worked out when a value first meets it. */
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
    // A schema may contain itself, so its parts are looked at when the first value comes.
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

/** Counts the steps that applying something to an object takes, at most. */
type CountMembers = (object: Record<string, unknown>, budget: Budget) => void

/** The steps of keywords that look at the members of an object. */
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

/** Names that are looked up in the value, whatever it has. */
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

/** Every schema copies the list of names that those inside it have evaluated. */
const PER_EVALUATED_MEMBER = 20

/** What is done for each member: its name is looked up, tried with patterns, and its value checked. */
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

/** The steps of keywords that look at the items of an array. */
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

/** The steps of keywords that look at a value as a whole: at any value, and at strings only. */
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

/** A program this small has few enough states to be remembered; then its size does not matter. */
const SMALL = 12

/** The steps of finding a pattern in a string. */
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

/** What cannot be run is never begun. */
const refuse: CountSteps = (_value, budget) => {
  budget.left = -1
}

function getLength(value: unknown): number {
  return typeof value === 'string' ? value.length : 0
}

/**
 * Steps that checking a text for a format may take. The formats' own expressions run on an engine that backtracks:
 * linear for most, of which the slowest count here; `url` tries every place of every "@" and ":".
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

/** The steps of looking for items that are the same. */
const countUniqueness: CountSteps = (value, budget) => {
  if (!Array.isArray(value)) return
  for (const item of value) {
    budget.left -= PER_SCALAR + (typeof item === 'string' ? item.length / 4 : 0)
    if (budget.left < 0) return
    countEquality(item, budget)
  }
}

/** The steps of writing a value out to compare it with others. */
const countEquality: CountSteps = (value, budget) => {
  if (typeof value !== 'object' || value === null) return
  const bounds = { depth: Infinity, nodes: Math.ceil(budget.left / PER_VALUE) }
  const { nodes, characters } = measureJson(value, bounds)
  budget.left -= nodes * PER_VALUE + characters
}
