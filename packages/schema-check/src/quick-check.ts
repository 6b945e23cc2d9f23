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
    const all = Object.entries(by).every(([keyword, keywordValue]) =>
      matchesKeyword(part, keyword, keywordValue, by),
    )
    depth -= 1
    return all
  }

  function matchesKeyword(
    part: unknown,
    keyword: string,
    keywordValue: unknown,
    whole: JsonObject,
  ): boolean {
    switch (keyword) {
      case 'type':
        return (Array.isArray(keywordValue) ? keywordValue : [keywordValue]).some((type) =>
          isOfType(part, type),
        )
      case 'const':
        return isScalar(keywordValue) && part === keywordValue
      case 'enum':
        return (
          Array.isArray(keywordValue) &&
          keywordValue.some((choice) => isScalar(choice) && part === choice)
        )
      case 'required':
        return (
          !isJsonObject(part) ||
          (Array.isArray(keywordValue) && keywordValue.every((name) => Object.hasOwn(part, name)))
        )
      case 'properties':
        return !isJsonObject(part) || propertiesFit(part, keywordValue, whole)
      case 'items':
        return !Array.isArray(part) || part.every((item) => matchesSchema(item, keywordValue))
      case 'anyOf':
        return (
          Array.isArray(keywordValue) && keywordValue.some((choice) => matchesSchema(part, choice))
        )
      case 'allOf':
        return (
          Array.isArray(keywordValue) && keywordValue.every((choice) => matchesSchema(part, choice))
        )
      case '$ref':
        return matchesSchema(part, followReference(schema, keywordValue)?.schema)
      case 'minimum':
        return isWithin(findNumber(part), keywordValue, (size, limit) => size >= limit)
      case 'maximum':
        return isWithin(findNumber(part), keywordValue, (size, limit) => size <= limit)
      case 'exclusiveMinimum':
        return isWithin(findNumber(part), keywordValue, (size, limit) => size > limit)
      case 'exclusiveMaximum':
        return isWithin(findNumber(part), keywordValue, (size, limit) => size < limit)
      case 'minLength':
        return isWithin(findLength(part), keywordValue, (size, limit) => size >= limit)
      case 'maxLength':
        return isWithin(findLength(part), keywordValue, (size, limit) => size <= limit)
      case 'minItems':
        return isWithin(findCount(part), keywordValue, (size, limit) => size >= limit)
      case 'maxItems':
        return isWithin(findCount(part), keywordValue, (size, limit) => size <= limit)
      case 'additionalProperties':
        return !isJsonObject(part) || 'properties' in whole || keywordValue === true
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
const DEFINITION_REFERENCE = /^#(?:\/(?:\$defs|definitions)\/[^/]+)?$/

const known = new WeakMap<object, boolean>()

/**
 * Says whether something surely is a JSON Schema that can be used, of the keywords that `isDefinitelyValid` knows. False says nothing.
 * Schema objects are taken as immutable, as by `compileSchema`.
 */
export function isDefinitelySchema(schema: unknown): schema is JsonSchema {
  if (!isJsonObject(schema)) return typeof schema === 'boolean'
  const isDefinite = known.get(schema) ?? isSchemaWithin(schema)
  known.set(schema, isDefinite)
  return isDefinite
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
      Object.entries(schema).every(([keyword, keywordValue]) =>
        isValidKeyword(keyword, keywordValue, depth + 1),
      )
    )
  }

  function isValidKeyword(keyword: string, keywordValue: unknown, depth: number): boolean {
    if (parts > MAX_PARTS || characters > MAX_CHARACTERS) return false
    switch (keyword) {
      case '$schema':
        return depth === 1 && typeof keywordValue === 'string' && DIALECT.test(keywordValue)
      case 'title':
      case 'description':
      case 'summary':
      case '$comment':
        return isText(keywordValue)
      case 'deprecated':
      case 'readOnly':
      case 'writeOnly':
        return typeof keywordValue === 'boolean'
      case 'examples':
      case 'enumNames':
        return Array.isArray(keywordValue) && isPlain(keywordValue, depth)
      case 'const':
      case 'default':
        return isPlain(keywordValue, depth)
      case 'enum':
        return isListOf(keywordValue, (choice) => isPlain(choice, depth))
      case 'type':
        return isTypes(keywordValue)
      case 'required':
        return (
          Array.isArray(keywordValue) &&
          keywordValue.every(isText) &&
          new Set(keywordValue).size === keywordValue.length
        )
      case 'properties':
      case '$defs':
      case 'definitions':
        return isJsonObject(keywordValue) && Object.entries(keywordValue).every(isNamed(depth))
      case 'items':
      case 'additionalProperties':
        return isSchema(keywordValue, depth)
      case 'anyOf':
      case 'allOf':
        return isListOf(keywordValue, (choice) => isSchema(choice, depth + 1))
      case '$ref':
        return isReference(keywordValue)
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return Number.isFinite(keywordValue)
      case 'minLength':
      case 'maxLength':
      case 'minItems':
      case 'maxItems':
        return Number.isSafeInteger(keywordValue) && Number(keywordValue) >= 0
      default:
        return false
    }
  }

  function isText(value: unknown): value is string {
    if (typeof value !== 'string') return false
    characters += value.length
    return true
  }

  /** A value of JSON that is small. */
  function isPlain(value: unknown, depth: number): boolean {
    parts += 1
    if (parts > MAX_PARTS || depth > MAX_SCHEMA_DEPTH) return false
    if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1))
    if (isJsonObject(value))
      return Object.entries(value).every(([name, item]) => isText(name) && isPlain(item, depth + 1))
    return isText(value) || typeof value === 'boolean' || value === null || Number.isFinite(value)
  }

  function isNamed(depth: number): (entry: readonly [string, unknown]) => boolean {
    return ([name, schema]) => name !== '__proto__' && isText(name) && isSchema(schema, depth + 1)
  }

  /** A target that leads on at the same value might never end. */
  function isReference(value: unknown): boolean {
    const target =
      isText(value) && DEFINITION_REFERENCE.test(value)
        ? followReference(root, value)?.schema
        : undefined
    return (
      typeof target === 'boolean' ||
      (isJsonObject(target) && !['$ref', 'anyOf', 'allOf'].some((key) => key in target))
    )
  }

  return isSchema(root, 0)
}

function isTypes(value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isKnown = types.every((type) => typeof type === 'string' && TYPES.has(type))
  return isKnown && types.length > 0 && new Set(types).size === types.length
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isOne)
}
