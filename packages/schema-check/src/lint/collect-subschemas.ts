import { type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import {
  appendPointer,
  followReference,
  isLocalReference,
  SCHEMA_MAPS,
} from '@toolblocks/protocol/internal'

/** A subschema and its path. */
export interface Subschema {
  schema: unknown
  path: string
}

/** The schemas of a document. */
export interface CollectedSubschemas {
  /** All subschemas as written; truncated after `limit`. */
  written: readonly Subschema[]
  /** Subschemas that apply to some value: the root, its subschemas, and the targets of their `$ref`. */
  applied: readonly Subschema[]
  /** Targets of `$ref` that are not a place for a schema, so the dialect does not cover them. */
  elsewhere: readonly (Subschema & { schema: JsonSchema })[]
  /** Subschemas that are compiled separately: the root and the targets of `$ref`, once for each spelling. */
  units: readonly Subschema[]
}

/** Collects the subschemas of a document; stops after `limit`. */
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

/** Counts the compiled schemas; those in several units count several times. Stops after `limit`. */
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

/** Returns the subschemas that apply, without mere definitions. */
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

/** Returns the direct subschemas of a schema, for 2020-12 and draft-07 together. */
export function getSubschemas({ schema, path }: Subschema): Subschema[] {
  if (!isJsonObject(schema)) return []
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const keywordPath = appendPointer(path, keyword)
    if (SINGLE.has(keyword) && isJsonObject(value)) return [{ schema: value, path: keywordPath }]
    if (LISTS.has(keyword) && Array.isArray(value))
      return value.map((entry, index) => ({
        schema: entry,
        path: appendPointer(keywordPath, index),
      }))
    if (SCHEMA_MAPS.has(keyword) && isJsonObject(value))
      return Object.entries(value)
        .filter(([, entry]) => !Array.isArray(entry))
        .map(([name, entry]) => ({ schema: entry, path: appendPointer(keywordPath, name) }))
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

/** Returns the direct subschemas that apply to the same value as the schema. */
export function subschemasInPlace({ schema, path }: Subschema): Subschema[] {
  if (!isJsonObject(schema)) return []
  const applied = Object.entries(schema).filter(([keyword]) => IN_PLACE.has(keyword))
  return getSubschemas({ schema: Object.fromEntries(applied), path })
}
