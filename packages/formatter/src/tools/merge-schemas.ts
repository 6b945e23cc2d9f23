import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, ANNOTATION_KEYWORDS } from '@toolblocks/protocol/internal'

/** Only these keywords are in a schema that lists its values. */
const LISTING: ReadonlySet<string> = new Set(['const', 'enum', 'type'])

/** The meaning of these keywords depends on others beside them, so two schemas with them are not merged into one object. */
const DEPENDENT: ReadonlySet<string> = new Set([
  '$anchor',
  '$dynamicRef',
  '$id',
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'maxContains',
  'minContains',
  'patternProperties',
  'prefixItems',
  'properties',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Returns the values that a schema lists, if it lists them. */
export function findValues(schema: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(schema)) return undefined
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  const listed = getOwnField(schema, 'enum')
  return Array.isArray(listed) ? listed : undefined
}

/**
 * Returns a schema for what any of several schemas accepts. Lists of values become one `enum`; schemas that differ only in their texts become one.
 */
export function mergeAlternatives(alternatives: readonly unknown[]): unknown {
  const schemas = oncePerConstraint(alternatives.filter((schema) => schema !== false))
  const [first] = schemas
  if (first === undefined) return alternatives.length === 0 ? {} : false
  if (schemas.length === 1) return first
  const objects = schemas.filter(isJsonObject)
  if (objects.length < schemas.length || objects.some(takesAnything)) return {}
  return oneEnum(objects) ?? { anyOf: objects }
}

/** Returns a schema for what all of several schemas accept. */
export function intersectSchemas(schemas: readonly unknown[]): unknown {
  const [first = {}, ...rest] = schemas
  return rest.reduce(intersectTwo, first)
}

interface Split {
  annotations: JsonObject
  constraints: JsonObject
}

function splitWords(schema: JsonObject): Split {
  const entries = Object.entries(schema)
  return {
    annotations: Object.fromEntries(
      entries.filter(([keyword]) => ANNOTATION_KEYWORDS.has(keyword)),
    ),
    constraints: Object.fromEntries(
      entries.filter(([keyword]) => !ANNOTATION_KEYWORDS.has(keyword)),
    ),
  }
}

function takesAnything(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATION_KEYWORDS.has(keyword))
}

/** Merges schemas with the same constraints, and joins their texts. */
function oncePerConstraint(schemas: readonly unknown[]): readonly unknown[] {
  const groups = new Map<string, { schema: unknown; splits: Split[] }>()
  for (const schema of schemas) {
    const split = isJsonObject(schema) ? splitWords(schema) : undefined
    const key = JSON.stringify(split?.constraints ?? schema)
    const group = groups.get(key) ?? { schema, splits: [] }
    if (split) group.splits.push(split)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ schema, splits }) => {
    const [first] = splits
    return first && splits.length > 1
      ? { ...first.constraints, ...joinWords(splits.map(({ annotations }) => annotations)) }
      : schema
  })
}

/** Joins descriptions; of other keywords, only the common ones are kept. */
function joinWords(annotations: readonly JsonObject[]): JsonObject {
  const [first = {}] = annotations
  const common = Object.entries(first).filter(([keyword, value]) =>
    annotations.every((part) => isSame(getOwnField(part, keyword), value)),
  )
  const described = distinct(annotations.map((part) => getOwnField(part, 'description')))
  return {
    ...Object.fromEntries(common),
    ...(described.length > 0 && { description: described.join('\n') }),
  }
}

function oneEnum(schemas: readonly JsonObject[]): JsonObject | undefined {
  if (!schemas.every(onlyListsValues)) return undefined
  const values = new Map<string, unknown>()
  for (const schema of schemas)
    for (const value of findValues(schema) ?? []) values.set(JSON.stringify(value), value)
  const type = typeOfAll([...values.values()])
  const descriptions = schemas.map((schema) => describeValue(schema, findValues(schema) ?? []))
  return {
    ...joinWords(schemas.map((schema) => splitWords(schema).annotations)),
    ...(type !== undefined && { type }),
    ...(descriptions.some((line) => line !== undefined) && {
      description: distinct(descriptions).join('\n'),
    }),
    enum: [...values.values()],
  }
}

/** Describes the schema of one value, after the value. */
function describeValue(schema: JsonObject, values: readonly unknown[]): string | undefined {
  const description = getOwnField(schema, 'description')
  if (typeof description !== 'string') return undefined
  return values.length === 1 ? `${valueInWords(values[0])}: ${description}` : description
}

/** Formats a value for a sentence. Unambiguous text has no quotes. */
export function valueInWords(value: unknown): string {
  return typeof value === 'string' && /^[\w./-]+$/.test(value) ? value : JSON.stringify(value)
}

function onlyListsValues(schema: JsonObject): boolean {
  const { constraints } = splitWords(schema)
  return (
    findValues(schema) !== undefined && Object.keys(constraints).every((each) => LISTING.has(each))
  )
}

function typeOfAll(values: readonly unknown[]): string | undefined {
  const [type, ...others] = distinct(
    values.map((value) => (value === null ? 'null' : typeof value)),
  )
  return others.length === 0 && type !== 'object' ? type : undefined
}

function intersectTwo(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false
  if (!isJsonObject(one)) return other
  if (!isJsonObject(other) || isSame(one, other)) return one
  const [mine, theirs] = [splitWords(one), splitWords(other)]
  const joined = joinConstraints(mine.constraints, theirs.constraints)
  if (joined) {
    const annotations = { ...theirs.annotations, ...mine.annotations }
    return { ...joined, ...annotations, ...joinWords([mine.annotations, theirs.annotations]) }
  }
  const { allOf, ...beside } = one
  const before: readonly unknown[] =
    Array.isArray(allOf) && Object.keys(beside).length === 0 ? allOf : [one]
  return { allOf: [...before, other] }
}

/** Returns the constraints of both as one schema, if that has the same meaning. */
function joinConstraints(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const keywords = [Object.keys(one), Object.keys(other)]
  if (keywords.some((names) => names.length === 0)) return { ...one, ...other }
  if (onlyListsValues(one) && onlyListsValues(other)) return intersectLists(one, other)
  const agree = Object.keys(one).every(
    (keyword) => !Object.hasOwn(other, keyword) || isSame(one[keyword], other[keyword]),
  )
  const areDependent = keywords.every((names) => names.some((name) => DEPENDENT.has(name)))
  // Some readers ignore keywords beside a reference.
  const refers = keywords.some((names) => names.includes('$ref'))
  return agree && !areDependent && !refers ? { ...one, ...other } : undefined
}

function intersectLists(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const theirs = new Set(findValues(other)?.map((value) => JSON.stringify(value)))
  const shared = findValues(one)?.filter((value) => theirs.has(JSON.stringify(value))) ?? []
  const types = [one, other].filter((schema) => Object.hasOwn(schema, 'type'))
  const [type, ...others] = distinct(types.map((schema) => schema['type']))
  if (shared.length === 0 || others.length > 0) return undefined
  return {
    ...(type !== undefined && { type }),
    ...(shared.length === 1 ? { const: shared[0] } : { enum: shared }),
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function distinct<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values.filter((value) => value !== undefined))]
}
