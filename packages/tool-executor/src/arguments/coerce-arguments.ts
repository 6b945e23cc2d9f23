import { MAX_SCHEMA_DEPTH, type JsonSchema } from '@toolblocks/protocol'
import { declaredTypes, isRecord, keyword, propertySchema, typeOf } from './declared-types.ts'

/**
 * Reads strings as the JSON they stand for where a schema wants no string, as models often write `"3"` for `3`.
 * A value changes only if the JSON has a declared type; everything else is left for the check to name.
 */
export function coerceArguments(
  values: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): Readonly<Record<string, unknown>> {
  return coerceObject(values, schema, 0)
}

function coerceValue(value: unknown, schema: unknown, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) return value
  const read = typeof value === 'string' ? readString(value, declaredTypes(schema)) : value
  if (Array.isArray(read)) {
    const items = keyword(schema, 'items')
    return items === undefined ? read : read.map((item) => coerceValue(item, items, depth + 1))
  }
  return isRecord(read) ? coerceObject(read, schema, depth) : read
}

function coerceObject(
  values: Readonly<Record<string, unknown>>,
  schema: unknown,
  depth: number,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const property = propertySchema(schema, name)
      return [name, property === undefined ? value : coerceValue(value, property, depth + 1)]
    }),
  )
}

function readString(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text
  const value = parseJson(text)
  const type = typeOf(value)
  const fits = types.includes(type) || (type === 'integer' && types.includes('number'))
  return value !== undefined && fits ? value : text
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
