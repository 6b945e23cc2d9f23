import { isJsonObject } from '@toolblocks/protocol'
import type { Budget } from './budget.ts'
import type { SchemaSurroundings } from './count-steps.ts'
import { countPattern } from './scalar-steps.ts'

/** Counts the steps that applying something to an object takes, at most. */
export type CountMembers = (object: Record<string, unknown>, budget: Budget) => void

/** The steps of keywords that look at the members of an object. */
export function objectSteps(
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
  const dependent = dependenciesOf(schema).map(([, value]) => value)
  const names = [required, ...dependent].filter(Array.isArray)
  const count = names.reduce((sum, list) => sum + list.length, dependent.length)
  if (count === 0) return undefined
  return (_object, budget) => {
    budget.left -= 2 * count
  }
}

function dependenciesOf(schema: Record<string, unknown>): [string, unknown][] {
  return ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) => {
    const map = schema[keyword]
    return isJsonObject(map) ? Object.entries(map) : []
  })
}

function countProperties(
  { properties }: Record<string, unknown>,
  { counterOf }: SchemaSurroundings,
): CountMembers | undefined {
  if (!isJsonObject(properties)) return undefined
  const counters = Object.entries(properties).map(([name, property]) => {
    return { name, count: counterOf(property) }
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
  { counterOf }: SchemaSurroundings,
): CountMembers | undefined {
  const counters = dependenciesOf(schema)
    .filter(([, value]) => !Array.isArray(value))
    .map(([name, value]) => [name, counterOf(value)] as const)
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
  { counterOf, keepsEvaluated }: SchemaSurroundings,
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
    ...(propertyNames === undefined ? [] : [counterOf(propertyNames)]),
  ]
  const ofValue = patterns.map(([, subschema]) => counterOf(subschema))
  const ofOther = others.map((keyword) => counterOf(schema[keyword]))
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
