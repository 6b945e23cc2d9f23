import { isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** Keywords whose object has names of schemas, not keywords. */
const NAMED = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
])
/** Keywords whose values are data. */
const DATA = new Set(['const', 'enum', 'default', 'examples'])

/** Gives a keyword of a schema another value; `undefined` leaves it out. */
type ChangeKeyword = (keyword: string, value: unknown) => unknown

/** Copies a schema and all schemas in it, keyword by keyword. */
export function mapSchema(schema: JsonObject, change: ChangeKeyword): JsonObject {
  return mapFields(schema, (keyword, value) => {
    const changed = change(keyword, value)
    if (DATA.has(keyword)) return changed
    return NAMED.has(keyword) && isJsonObject(changed)
      ? mapFields(changed, (_name, part) => mapPart(part, change))
      : mapPart(changed, change)
  })
}

function mapPart(part: unknown, change: ChangeKeyword): unknown {
  if (Array.isArray(part)) return part.map((item) => mapPart(item, change))
  return isJsonObject(part) ? mapSchema(part, change) : part
}

function mapFields(object: JsonObject, map: (key: string, value: unknown) => unknown): JsonObject {
  const fields = Object.entries(object).map(([key, value]) => [key, map(key, value)] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}
