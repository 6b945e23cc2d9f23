import { field, type JsonObject, mapSchema } from '@toolblocks/protocol'
import type { RequestChange } from '../turns/request-change.ts'

/** A schema in which every array has `items`, and where they were added. */
export interface SchemaWithItems {
  schema: JsonObject
  changes: readonly RequestChange[]
}

/** Says of each array without `items` that it may hold anything, as it does: some providers refuse a request for one that does not say so. */
export function addItems(schema: JsonObject): SchemaWithItems {
  const changes: RequestChange[] = []
  mapSchema(schema, (part, at) => {
    if (lacksItems(part))
      changes.push({
        path: at,
        code: 'items-added',
        message:
          'this provider refuses an array without "items": it was told that they may be anything',
        expected: 'items',
      })
    return part
  })
  if (changes.length === 0) return { schema, changes }
  return {
    schema: mapSchema(schema, (part) => (lacksItems(part) ? { ...part, items: {} } : part)),
    changes,
  }
}

function lacksItems(schema: JsonObject): boolean {
  const type = field(schema, 'type')
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return isArray && !Object.hasOwn(schema, 'items')
}
