import { isJsonObject } from '../json/json.ts'

/** What a keyword of JSON Schema takes. */
type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'named-schemas'
  | 'named-schemas-or-names'
  | 'named-names'
  | 'names'
  | 'text'
  | 'boolean'
  | 'number'
  | 'positive-number'
  | 'count'
  | 'pattern'
  | 'list'
  | 'anchor'

/** The keywords of draft 2020-12, and those of older drafts that its meta-schema has. `type`, `items`, `enum` and the bounds have rules of their own. */
export const KEYWORD_KINDS: ReadonlyMap<string, KeywordKind> = new Map(
  Object.entries({
    schema: [
      'additionalProperties',
      'contains',
      'contentSchema',
      'else',
      'if',
      'items',
      'not',
      'propertyNames',
      'then',
      'unevaluatedItems',
      'unevaluatedProperties',
    ],
    schemas: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
    'named-schemas': [
      '$defs',
      'definitions',
      'dependentSchemas',
      'patternProperties',
      'properties',
    ],
    'named-schemas-or-names': ['dependencies'],
    'named-names': ['dependentRequired'],
    names: ['required'],
    text: [
      '$comment',
      '$dynamicRef',
      '$recursiveRef',
      '$ref',
      '$schema',
      'contentEncoding',
      'contentMediaType',
      'description',
      'format',
      'title',
    ],
    boolean: ['deprecated', 'readOnly', 'uniqueItems', 'writeOnly'],
    number: ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum'],
    'positive-number': ['multipleOf'],
    count: [
      'maxContains',
      'maxItems',
      'maxLength',
      'maxProperties',
      'minContains',
      'minItems',
      'minLength',
      'minProperties',
    ],
    pattern: ['pattern'],
    list: ['enum', 'examples'],
    anchor: ['$anchor', '$dynamicAnchor', '$recursiveAnchor'],
  } satisfies Record<KeywordKind, readonly string[]>).flatMap(([kind, keywords]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the record
    keywords.map((keyword): [string, KeywordKind] => [keyword, kind as KeywordKind]),
  ),
)

/** Returns the value of a keyword without subschemas, corrected where its meaning is clear; `undefined` if it has to be omitted. */
export function correctKeyword(kind: KeywordKind, value: unknown): unknown {
  switch (kind) {
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'anchor':
      return typeof value === 'string' && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value)
        ? value
        : undefined
    case 'boolean':
      return value === 'true' || value === 'false'
        ? value === 'true'
        : pick(typeof value === 'boolean', value)
    case 'number':
      return readNumber(value)
    case 'positive-number':
      return pick((readNumber(value) ?? 0) > 0, readNumber(value))
    case 'count':
      return pick(Number.isInteger(readNumber(value)) && Number(value) >= 0, readNumber(value))
    case 'pattern':
      return typeof value === 'string' && isPattern(value) ? value : undefined
    case 'names':
      return correctNames(value)
    case 'named-names':
      return isJsonObject(value)
        ? Object.fromEntries(
            Object.entries(value).flatMap(([name, names]) => {
              const read = correctNames(names)
              return read === undefined ? [] : [[name, read]]
            }),
          )
        : undefined
    case 'list':
      return pick(Array.isArray(value), value)
    // Subschemas are corrected by the caller.
    case 'schema':
    case 'schemas':
    case 'named-schemas':
    case 'named-schemas-or-names':
      return value
  }
}

function pick(isRight: boolean, value: unknown): unknown {
  return isRight ? value : undefined
}

/** A number, or a text that has one. */
function readNumber(raw: unknown): number | undefined {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Names, each once. One name stands for a list of it. */
export function correctNames(names: unknown): readonly string[] | undefined {
  if (typeof names === 'string') return [names]
  if (!Array.isArray(names)) return undefined
  return [...new Set(names.filter((name) => typeof name === 'string'))]
}

/** Whether a text is a regular expression of ECMAScript with the flag `u`, as JSON Schema recommends. */
export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const TYPES: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
])

/** Names of types in other languages. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['double', 'number'],
  ['float', 'number'],
  ['int', 'integer'],
  ['list', 'array'],
  ['long', 'integer'],
  ['map', 'object'],
  ['nil', 'null'],
  ['none', 'null'],
  ['str', 'string'],
  ['text', 'string'],
])

/** Returns the type of JSON Schema that a name means, also in capitals or in another language. */
export function readTypeName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.trim().toLowerCase()
  return TYPES.has(name) ? name : OTHER_NAMES.get(name)
}

/** Whether a value has one of these types. */
export function hasType(value: unknown, types: readonly string[]): boolean {
  return types.some((type) => {
    switch (type) {
      case 'array':
        return Array.isArray(value)
      case 'null':
        return value === null
      case 'object':
        return isJsonObject(value)
      case 'integer':
        return Number.isInteger(value)
      default:
        return typeof value === type
    }
  })
}
