import { type JsonObject, getOwnField, isJsonObject } from '../json/json.ts'
import { appendPointer } from '../json/json-pointer.ts'

/** Keywords whose value is data, even if it looks like a schema. */
const DATA = new Set(['$vocabulary', 'const', 'default', 'dependentRequired', 'enum', 'examples'])

/** Keywords whose value has a schema under each name. Under a name of `dependencies` (draft-07) may be a list of names instead. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** Changes a schema and all its subschemas. `change` receives each with its JSON Pointer, outer ones first. */
export function mapSchema(
  schema: JsonObject,
  change: (schema: JsonObject, path: string) => JsonObject,
  path = '',
): JsonObject {
  const inside = (value: unknown, valuePath: string): unknown => {
    if (Array.isArray(value))
      return value.map((part, index) => inside(part, appendPointer(valuePath, index)))
    return isJsonObject(value) ? mapSchema(value, change, valuePath) : value
  }
  const keywords = Object.entries(change(schema, path)).map(([keyword, value]) => {
    const keywordPath = appendPointer(path, keyword)
    if (DATA.has(keyword)) return [keyword, value]
    if (!SCHEMA_MAPS.has(keyword) || !isJsonObject(value))
      return [keyword, inside(value, keywordPath)]
    const named = Object.entries(value).map(([name, part]) => [
      name,
      inside(part, appendPointer(keywordPath, name)),
    ])
    return [keyword, Object.fromEntries(named)]
  })
  return Object.fromEntries(keywords)
}

/** Converts a tuple of the older form (an array as `items`, the rest in `additionalItems`) to draft 2020-12. */
export function normalizePrefixItems(schema: JsonObject): JsonObject {
  const items = getOwnField(schema, 'items')
  if (!Array.isArray(items)) return schema
  const { items: prefixItems, additionalItems, ...rest } = schema
  return { ...rest, prefixItems, ...(additionalItems !== undefined && { items: additionalItems }) }
}

/** JSON Schema keywords that inform a reader and refuse no value. `summary` belongs to tools that describe themselves. */
export const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'summary',
  'title',
  'writeOnly',
])
