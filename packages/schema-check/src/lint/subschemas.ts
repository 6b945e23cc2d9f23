import { appendPointer, isJsonObject, SCHEMA_MAPS } from '@toolblocks/protocol'

/** A schema inside another, and where it stands. */
export interface Subschema {
  schema: unknown
  path: string
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
export function subschemasOf({ schema, path }: Subschema): Subschema[] {
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
  return subschemasOf({ schema: Object.fromEntries(applied), path })
}
