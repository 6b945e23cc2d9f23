import { type JsonObject, type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import {
  followReference,
  MAX_JSON_DEPTH,
  MAX_SCHEMA_DEPTH,
  countCharacters,
} from '@toolblocks/protocol/internal'
import { isDeeperThan } from './cost/measure-json.ts'
import { isScalar } from './keywords/canonical-json.ts'

/** Steps after which the answer is left to the thorough check. */
const MAX_STEPS = 10_000

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
export function isDefinitelyValid(value: unknown, schema: JsonSchema): boolean {
  let steps = 0
  let depth = 0

  function matchesSchema(part: unknown, by: unknown): boolean {
    if (typeof by === 'boolean') return by
    if (!isJsonObject(by) || steps === MAX_STEPS || depth === MAX_JSON_DEPTH) return false
    steps += 1
    depth += 1
    const all = Object.entries(by).every(([keyword, said]) =>
      matchesKeyword(part, keyword, said, by),
    )
    depth -= 1
    return all
  }

  function matchesKeyword(
    part: unknown,
    keyword: string,
    said: unknown,
    whole: JsonObject,
  ): boolean {
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
        return !Array.isArray(part) || part.every((item) => matchesSchema(item, said))
      case 'anyOf':
        return Array.isArray(said) && said.some((choice) => matchesSchema(part, choice))
      case 'allOf':
        return Array.isArray(said) && said.every((choice) => matchesSchema(part, choice))
      case '$ref':
        return matchesSchema(part, followReference(schema, said)?.schema)
      case 'minimum':
        return isWithin(findNumber(part), said, (size, limit) => size >= limit)
      case 'maximum':
        return isWithin(findNumber(part), said, (size, limit) => size <= limit)
      case 'exclusiveMinimum':
        return isWithin(findNumber(part), said, (size, limit) => size > limit)
      case 'exclusiveMaximum':
        return isWithin(findNumber(part), said, (size, limit) => size < limit)
      case 'minLength':
        return isWithin(findLength(part), said, (size, limit) => size >= limit)
      case 'maxLength':
        return isWithin(findLength(part), said, (size, limit) => size <= limit)
      case 'minItems':
        return isWithin(findCount(part), said, (size, limit) => size >= limit)
      case 'maxItems':
        return isWithin(findCount(part), said, (size, limit) => size <= limit)
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
      matchesSchema(
        field,
        Object.hasOwn(properties, name) ? properties[name] : additionalProperties,
      ),
    )
  }

  return (
    isDefinitelySchema(schema) &&
    !isDeeperThan(value, MAX_JSON_DEPTH) &&
    matchesSchema(value, schema)
  )
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

function findNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function findCount(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined
}

/** In code points, as JSON Schema counts. */
function findLength(text: unknown): number | undefined {
  return typeof text === 'string' ? countCharacters(text) : undefined
}

/** Subschemas, names and choices after which the answer is left to the thorough check. */
const MAX_PARTS = 1000

/** Characters of the document after which the answer is left to the thorough check. */
const MAX_CHARACTERS = 64 * 1024

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

/** The places of a document that surely hold schemas. */
const PLACE = /^#(?:\/(?:\$defs|definitions)\/[^/]+)?$/

const known = new WeakMap<object, boolean>()

/**
 * Says whether something surely is a JSON Schema that can be used, of the keywords that `isDefinitelyValid` knows. False says nothing.
 * Schema objects are taken as immutable, as by `compileSchema`.
 */
export function isDefinitelySchema(schema: unknown): schema is JsonSchema {
  if (!isJsonObject(schema)) return typeof schema === 'boolean'
  const found = known.get(schema) ?? isSchemaWithin(schema)
  known.set(schema, found)
  return found
}

function isSchemaWithin(root: JsonObject): boolean {
  let parts = 0
  let characters = 0

  function isSchema(schema: unknown, depth: number): boolean {
    if (typeof schema === 'boolean') return true
    parts += 1
    return (
      isJsonObject(schema) &&
      depth <= MAX_SCHEMA_DEPTH &&
      Object.entries(schema).every(([keyword, said]) => isSaid(keyword, said, depth + 1))
    )
  }

  function isSaid(keyword: string, said: unknown, depth: number): boolean {
    if (parts > MAX_PARTS || characters > MAX_CHARACTERS) return false
    switch (keyword) {
      case '$schema':
        return depth === 1 && typeof said === 'string' && DIALECT.test(said)
      case 'title':
      case 'description':
      case 'summary':
      case '$comment':
        return isText(said)
      case 'deprecated':
      case 'readOnly':
      case 'writeOnly':
        return typeof said === 'boolean'
      case 'examples':
      case 'enumNames':
        return Array.isArray(said) && isPlain(said, depth)
      case 'const':
      case 'default':
        return isPlain(said, depth)
      case 'enum':
        return isListOf(said, (choice) => isPlain(choice, depth))
      case 'type':
        return isTypes(said)
      case 'required':
        return Array.isArray(said) && said.every(isText) && new Set(said).size === said.length
      case 'properties':
      case '$defs':
      case 'definitions':
        return isJsonObject(said) && Object.entries(said).every(isNamed(depth))
      case 'items':
      case 'additionalProperties':
        return isSchema(said, depth)
      case 'anyOf':
      case 'allOf':
        return isListOf(said, (choice) => isSchema(choice, depth + 1))
      case '$ref':
        return isReference(said)
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return Number.isFinite(said)
      case 'minLength':
      case 'maxLength':
      case 'minItems':
      case 'maxItems':
        return Number.isSafeInteger(said) && Number(said) >= 0
      default:
        return false
    }
  }

  function isText(said: unknown): said is string {
    if (typeof said !== 'string') return false
    characters += said.length
    return true
  }

  /** A value of JSON that is small. */
  function isPlain(said: unknown, depth: number): boolean {
    parts += 1
    if (parts > MAX_PARTS || depth > MAX_SCHEMA_DEPTH) return false
    if (Array.isArray(said)) return said.every((item) => isPlain(item, depth + 1))
    if (isJsonObject(said))
      return Object.entries(said).every(([name, item]) => isText(name) && isPlain(item, depth + 1))
    return isText(said) || typeof said === 'boolean' || said === null || Number.isFinite(said)
  }

  function isNamed(depth: number): (entry: readonly [string, unknown]) => boolean {
    return ([name, schema]) => name !== '__proto__' && isText(name) && isSchema(schema, depth + 1)
  }

  /** A target that leads on at the same value might never end. */
  function isReference(said: unknown): boolean {
    const target =
      isText(said) && PLACE.test(said) ? followReference(root, said)?.schema : undefined
    return (
      typeof target === 'boolean' ||
      (isJsonObject(target) && !['$ref', 'anyOf', 'allOf'].some((key) => key in target))
    )
  }

  return isSchema(root, 0)
}

function isTypes(said: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(said) ? said : [said]
  const isKnown = types.every((type) => typeof type === 'string' && TYPES.has(type))
  return isKnown && types.length > 0 && new Set(types).size === types.length
}

function isListOf(said: unknown, isOne: (item: unknown) => boolean): said is readonly unknown[] {
  return Array.isArray(said) && said.length > 0 && said.every(isOne)
}
