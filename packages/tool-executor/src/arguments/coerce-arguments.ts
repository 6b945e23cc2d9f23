import {
  isJsonObject,
  MAX_SCHEMA_DEPTH,
  type JsonObject,
  type JsonSchema,
} from '@toolblocks/protocol'
import { partsFor, schemaOfChild, typeOf, typesOf, viewSchema } from './schema-view.ts'

/**
 * Reads strings as the JSON they stand for where a schema wants no string, as models often write `"3"` for `3`.
 * A value changes only if the JSON has a declared type; everything else is left for the check to name.
 */
export function coerceArguments(values: JsonObject, schema: JsonSchema): JsonObject {
  const coerced = coerceValue(values, schema, { root: schema, depth: 0 })
  return isJsonObject(coerced) ? coerced : values
}

interface At {
  root: JsonSchema
  depth: number
}

function coerceValue(given: unknown, schema: unknown, { root, depth }: At): unknown {
  if (depth > MAX_SCHEMA_DEPTH || !isJsonObject(schema)) return given
  const view = viewSchema(schema, root)
  const value = typeof given === 'string' ? readString(given, typesOf(view)) : given
  if (typeof value !== 'object' || value === null) return value
  const parts = partsFor(view, typeOf(value))
  const inside = { root, depth: depth + 1 }
  if (Array.isArray(value)) {
    const items = schemaOfChild(parts, 'items')
    return value.map((item) => coerceValue(item, items, inside))
  }
  const fields = Object.entries(value).map(([property, field]) => {
    return [property, coerceValue(field, schemaOfChild(parts, { property }), inside)] as const
  })
  return Object.fromEntries(fields)
}

function readString(text: string, types: ReadonlySet<string> | undefined): unknown {
  if (types === undefined || types.has('string')) return text
  const value = parseJson(text)
  const type = typeOf(value)
  const fits = types.has(type) || (type === 'integer' && types.has('number'))
  return value !== undefined && fits ? value : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
