import { type JsonObject, type JsonSchema, getOwnField, isJsonObject } from '../json/json.ts'

/**
 * Gives absent properties the `default` of their schema, also inside objects and list items that are present. It reads only `properties` and
 * `items`, no references. Each default is a separate copy.
 */
export function fillDefaults(values: JsonObject, schema: JsonSchema): JsonObject {
  const filled = fillValue(values, schema)
  return isJsonObject(filled) ? filled : values
}

function fillValue(value: unknown, schema: unknown): unknown {
  if (!isJsonObject(schema)) return value
  if (Array.isArray(value)) {
    const items = getOwnField(schema, 'items')
    return isJsonObject(items) ? value.map((item) => fillValue(item, items)) : value
  }
  const properties = getOwnField(schema, 'properties')
  if (!isJsonObject(value) || !isJsonObject(properties)) return value
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const [name, property] of Object.entries(properties)) {
    if (fields.has(name)) fields.set(name, fillValue(fields.get(name), property))
    else if (hasDefault(property)) fields.set(name, structuredClone(property['default']))
  }
  return Object.fromEntries(fields)
}

/** Whether a schema has a default. */
export function hasDefault(schema: unknown): schema is JsonObject {
  return isJsonObject(schema) && Object.hasOwn(schema, 'default')
}
