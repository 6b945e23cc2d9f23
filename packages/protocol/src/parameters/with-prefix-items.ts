import { field } from '../json/fields.ts'
import type { JsonObject } from '../json/json.ts'

/** Writes a tuple of the older form (an array as `items`, the others in `additionalItems`) in the one of draft 2020-12. */
export function withPrefixItems(schema: JsonObject): JsonObject {
  const items = field(schema, 'items')
  if (!Array.isArray(items)) return schema
  const { items: prefixItems, additionalItems, ...rest } = schema
  return { ...rest, prefixItems, ...(additionalItems !== undefined && { items: additionalItems }) }
}
