import {
  countCharacters,
  followReference,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  MAX_JSON_DEPTH,
} from '@toolblocks/protocol'
import { isDeeperThan } from '../cost/is-deeper-than.ts'
import { isScalar } from '../keywords/canonical-json.ts'
import { isSurelySchema } from './is-surely-schema.ts'

/** Steps after which the answer is left to the thorough check. */
const MOST_STEPS = 10_000

/** Keywords that refuse no value. */
const SILENT = new Set([
  '$comment',
  '$defs',
  '$schema',
  'default',
  'definitions',
  'deprecated',
  'description',
  'enumNames',
  'examples',
  'readOnly',
  'summary',
  'title',
  'writeOnly',
])

/**
 * Says whether a value surely fits a schema, as `compileSchema` would find. False says nothing: a keyword that is not known here, a
 * schema that may be none, a value that does not fit, too many steps. It spares most calls the loading of the thorough check, which
 * takes longer than starting a program.
 */
export function isSurelyValid(value: unknown, schema: JsonSchema): boolean {
  let steps = 0
  let depth = 0

  function fits(part: unknown, by: unknown): boolean {
    if (typeof by === 'boolean') return by
    if (!isJsonObject(by) || steps === MOST_STEPS || depth === MAX_JSON_DEPTH) return false
    steps += 1
    depth += 1
    const all = Object.entries(by).every(([keyword, said]) => obeys(part, keyword, said, by))
    depth -= 1
    return all
  }

  function obeys(part: unknown, keyword: string, said: unknown, whole: JsonObject): boolean {
    switch (keyword) {
      case 'type':
        return (Array.isArray(said) ? said : [said]).some((type) => isOfType(part, type))
      case 'const':
        return isScalar(said) && part === said
      case 'enum':
        return Array.isArray(said) && said.some((choice) => isScalar(choice) && part === choice)
      case 'required':
        return (
          !isJsonObject(part) ||
          (Array.isArray(said) && said.every((name) => Object.hasOwn(part, name)))
        )
      case 'properties':
        return !isJsonObject(part) || propertiesFit(part, said, whole)
      case 'items':
        return !Array.isArray(part) || part.every((item) => fits(item, said))
      case 'anyOf':
        return Array.isArray(said) && said.some((choice) => fits(part, choice))
      case 'allOf':
        return Array.isArray(said) && said.every((choice) => fits(part, choice))
      case '$ref':
        return fits(part, followReference(schema, said)?.schema)
      case 'minimum':
        return isWithin(numberOf(part), said, (size, limit) => size >= limit)
      case 'maximum':
        return isWithin(numberOf(part), said, (size, limit) => size <= limit)
      case 'exclusiveMinimum':
        return isWithin(numberOf(part), said, (size, limit) => size > limit)
      case 'exclusiveMaximum':
        return isWithin(numberOf(part), said, (size, limit) => size < limit)
      case 'minLength':
        return isWithin(lengthOf(part), said, (size, limit) => size >= limit)
      case 'maxLength':
        return isWithin(lengthOf(part), said, (size, limit) => size <= limit)
      case 'minItems':
        return isWithin(countOf(part), said, (size, limit) => size >= limit)
      case 'maxItems':
        return isWithin(countOf(part), said, (size, limit) => size <= limit)
      case 'additionalProperties':
        return !isJsonObject(part) || 'properties' in whole || said === true
      default:
        return SILENT.has(keyword)
    }
  }

  function propertiesFit(part: JsonObject, properties: unknown, whole: JsonObject): boolean {
    const { additionalProperties = true } = whole
    if (!isJsonObject(properties)) return false
    return Object.entries(part).every(([name, field]) =>
      fits(field, Object.hasOwn(properties, name) ? properties[name] : additionalProperties),
    )
  }

  return isSurelySchema(schema) && !isDeeperThan(value, MAX_JSON_DEPTH) && fits(value, schema)
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

/** A bound says nothing of a value that has no such size. */
function isWithin(
  size: number | undefined,
  limit: unknown,
  compare: (size: number, limit: number) => boolean,
): boolean {
  return size === undefined || (typeof limit === 'number' && compare(size, limit))
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function countOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

/** In code points, as JSON Schema counts. */
function lengthOf(text: unknown): number | undefined {
  return typeof text === 'string' ? countCharacters(text) : undefined
}
