import {
  followReference,
  isJsonObject,
  MAX_SCHEMA_DEPTH,
  type JsonObject,
  type JsonSchema,
} from '@toolblocks/protocol'

/** Subschemas, names and choices after which the answer is left to the thorough check. */
const MOST_PARTS = 1000

/** Characters of the document after which the answer is left to the thorough check. */
const MOST_CHARACTERS = 64 * 1024

const TYPES = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'])

const DIALECT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/

/** The places of a document that surely hold schemas. */
const PLACE = /^#(?:\/(?:\$defs|definitions)\/[^/]+)?$/

const known = new WeakMap<object, boolean>()

/**
 * Says whether something surely is a JSON Schema that can be used, of the keywords that `isSurelyValid` knows. False says nothing.
 * Schema objects are taken as immutable, as by `compileSchema`.
 */
export function isSurelySchema(schema: unknown): schema is JsonSchema {
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
    if (parts > MOST_PARTS || characters > MOST_CHARACTERS) return false
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
    if (parts > MOST_PARTS || depth > MAX_SCHEMA_DEPTH) return false
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
