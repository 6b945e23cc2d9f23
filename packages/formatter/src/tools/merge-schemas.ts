import {
  ANNOTATION_KEYWORDS,
  getOwnField,
  isJsonObject,
  type JsonObject,
} from '@toolblocks/protocol'

/** Only these stand in a schema that lists its values. */
const LISTING: ReadonlySet<string> = new Set(['const', 'enum', 'type'])

/** What these take depends on other keywords beside them, so two schemas that have some do not become one object. */
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

/** The values that a schema takes, where it lists them. */
export function findValues(schema: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(schema)) return undefined
  if (Object.hasOwn(schema, 'const')) return [schema['const']]
  const listed = getOwnField(schema, 'enum')
  return Array.isArray(listed) ? listed : undefined
}

/** A schema for what any of several takes. Lists of values become one `enum`; schemas that differ in their words alone become one. */
export function mergeAlternatives(given: readonly unknown[]): unknown {
  const schemas = oncePerConstraint(given.filter((schema) => schema !== false))
  const [first] = schemas
  if (first === undefined) return given.length === 0 ? {} : false
  if (schemas.length === 1) return first
  const objects = schemas.filter(isJsonObject)
  if (objects.length < schemas.length || objects.some(takesAnything)) return {}
  return oneEnum(objects) ?? { anyOf: objects }
}

/** A schema for what all of several take. */
export function intersectSchemas(schemas: readonly unknown[]): unknown {
  const [first = {}, ...rest] = schemas
  return rest.reduce(intersectTwo, first)
}

interface Split {
  words: JsonObject
  constraints: JsonObject
}

function splitWords(schema: JsonObject): Split {
  const entries = Object.entries(schema)
  return {
    words: Object.fromEntries(entries.filter(([keyword]) => ANNOTATION_KEYWORDS.has(keyword))),
    constraints: Object.fromEntries(
      entries.filter(([keyword]) => !ANNOTATION_KEYWORDS.has(keyword)),
    ),
  }
}

function takesAnything(schema: JsonObject): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATION_KEYWORDS.has(keyword))
}

/** Schemas that refuse the same become one, with the words of all. */
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
      ? { ...first.constraints, ...joinWords(splits.map(({ words }) => words)) }
      : schema
  })
}

/** Descriptions together; of the rest what all have in common. */
function joinWords(given: readonly JsonObject[]): JsonObject {
  const [first = {}] = given
  const common = Object.entries(first).filter(([keyword, value]) =>
    given.every((words) => isSame(getOwnField(words, keyword), value)),
  )
  const described = distinct(given.map((words) => getOwnField(words, 'description')))
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
  const words = schemas.map((schema) => describeValue(schema, findValues(schema) ?? []))
  return {
    ...joinWords(schemas.map((schema) => splitWords(schema).words)),
    ...(type !== undefined && { type }),
    ...(words.some((line) => line !== undefined) && { description: distinct(words).join('\n') }),
    enum: [...values.values()],
  }
}

/** What the schema of one value says, with the value before it. */
function describeValue(schema: JsonObject, values: readonly unknown[]): string | undefined {
  const description = getOwnField(schema, 'description')
  if (typeof description !== 'string') return undefined
  return values.length === 1 ? `${valueInWords(values[0])}: ${description}` : description
}

/** A value as it stands in a sentence: text that cannot be mistaken without quotes. */
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
    const words = { ...theirs.words, ...mine.words }
    return { ...joined, ...words, ...joinWords([mine.words, theirs.words]) }
  }
  const { allOf, ...beside } = one
  const before: readonly unknown[] =
    Array.isArray(allOf) && Object.keys(beside).length === 0 ? allOf : [one]
  return { allOf: [...before, other] }
}

/** What both refuse as one schema, where that says the same. */
function joinConstraints(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const keywords = [Object.keys(one), Object.keys(other)]
  if (keywords.some((names) => names.length === 0)) return { ...one, ...other }
  if (onlyListsValues(one) && onlyListsValues(other)) return intersectLists(one, other)
  const agree = Object.keys(one).every(
    (keyword) => !Object.hasOwn(other, keyword) || isSame(one[keyword], other[keyword]),
  )
  const areDependent = keywords.every((names) => names.some((name) => DEPENDENT.has(name)))
  // Not every reader looks at what stands beside a reference.
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
