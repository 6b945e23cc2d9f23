import {
  type JsonSchema,
  SCHEMA_MAPS,
  appendPointer,
  followReference,
  isJsonObject,
  isLocalReference,
} from '@toolblocks/protocol'

/** A schema inside another, and where it stands. */
export interface Subschema {
  schema: unknown
  path: string
}

/** The schemas of a document. */
export interface CollectedSubschemas {
  /** Every one as written; cut off past `limit`. */
  written: readonly Subschema[]
  /** Those that a value can meet: the root, what is inside it, and what a `$ref` of these leads to. */
  applied: readonly Subschema[]
  /** Where a `$ref` leads that is no place for a schema, so that the document's dialect says nothing about it. */
  elsewhere: readonly (Subschema & { schema: JsonSchema })[]
  /** What is compiled as one: the root, and targets of `$ref`, once for each way they are written. */
  units: readonly Subschema[]
}

/** Collects the schemas of a document; stops when there are more than `limit`. */
export function collectSubschemas(document: unknown, limit: number): CollectedSubschemas {
  const root: Subschema = { schema: document, path: '' }
  const written = addInside(root, { to: [], seen: new Set(), limit, from: getSubschemas })
  const places = new Set(written.map(({ schema }) => schema))
  const applied: Subschema[] = []
  const reach = { to: applied, seen: new Set<unknown>(), limit, from: appliedInside }
  const elsewhere: (Subschema & { schema: JsonSchema })[] = []
  const units = new Map([['', root]])
  addInside(root, reach)
  for (let index = 0; index < applied.length && applied.length <= limit; index++) {
    const reference = findReference(applied[index]?.schema)
    const target = reference === undefined ? undefined : followReference(document, reference)
    if (reference === undefined || target === undefined) continue
    units.set(reference, target)
    const { schema, path } = target
    if (isJsonObject(schema) && !places.has(schema)) elsewhere.push({ schema, path })
    if (!reach.seen.has(schema)) addInside(target, reach)
  }
  return { written, applied, elsewhere, units: [...units.values()] }
}

/** How many schemas are compiled, those in several units several times; stops past `limit`. */
export function countCompiled({ units }: CollectedSubschemas, limit: number): number {
  let count = 0
  for (const unit of units) {
    const rest = { to: [], seen: new Set(), limit: limit - count, from: appliedInside }
    count += addInside(unit, rest).length
    if (count > limit) return count
  }
  return count
}

interface Collection {
  to: Subschema[]
  seen: Set<unknown>
  limit: number
  from: (subschema: Subschema) => readonly Subschema[]
}

function addInside(first: Subschema, { to, seen, limit, from }: Collection): Subschema[] {
  const open = [first]
  for (let next = open.pop(); next !== undefined && to.length <= limit; next = open.pop()) {
    seen.add(next.schema)
    to.push(next)
    for (const inside of from(next).toReversed()) open.push(inside)
  }
  return to
}

/** Without those that only wait to be referred to. */
function appliedInside({ schema, path }: Subschema): readonly Subschema[] {
  if (!isJsonObject(schema)) return []
  const { $defs: _$defs, definitions: _definitions, ...applied } = schema
  return getSubschemas({ schema: applied, path })
}

function findReference(schema: unknown): string | undefined {
  return isJsonObject(schema) && isLocalReference(schema['$ref']) ? schema['$ref'] : undefined
}

const SINGLE = new Set([
  'additionalItems',
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
])

const LISTS = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])

/** Draft-07 has schemas under names in one keyword more, beside lists of names. */
const MAPS = new Set([...SCHEMA_MAPS, 'dependencies'])

/** The schemas directly inside a schema, for 2020-12 and draft-07 together. */
export function getSubschemas({ schema, path }: Subschema): Subschema[] {
  if (!isJsonObject(schema)) return []
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const at = appendPointer(path, keyword)
    if (SINGLE.has(keyword) && isJsonObject(value)) return [{ schema: value, path: at }]
    if (LISTS.has(keyword) && Array.isArray(value))
      return value.map((entry, index) => ({ schema: entry, path: appendPointer(at, index) }))
    if (MAPS.has(keyword) && isJsonObject(value))
      return Object.entries(value)
        .filter(([, entry]) => !Array.isArray(entry))
        .map(([name, entry]) => ({ schema: entry, path: appendPointer(at, name) }))
    return []
  })
}

const IN_PLACE = new Set([
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
])

/** The schemas directly inside a schema that are applied to the same value as it. */
export function subschemasInPlace({ schema, path }: Subschema): Subschema[] {
  if (!isJsonObject(schema)) return []
  const applied = Object.entries(schema).filter(([keyword]) => IN_PLACE.has(keyword))
  return getSubschemas({ schema: Object.fromEntries(applied), path })
}
