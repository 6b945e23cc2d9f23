import { MAX_SCHEMA_DEPTH, type JsonSchema } from '@toolblocks/protocol'
import { isRecord, keyword, namedProperties } from './declared-types.ts'

/** Adds the default of every absent parameter, also inside objects and list items that are present. */
export function fillDefaults(
  values: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
): Readonly<Record<string, unknown>> {
  return fillObject(values, schema, 0)
}

function fillValue(value: unknown, schema: unknown, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) return value
  if (Array.isArray(value)) {
    const items = keyword(schema, 'items')
    return items === undefined ? value : value.map((item) => fillValue(item, items, depth + 1))
  }
  return isRecord(value) ? fillObject(value, schema, depth) : value
}

function fillObject(
  values: Readonly<Record<string, unknown>>,
  schema: unknown,
  depth: number,
): Readonly<Record<string, unknown>> {
  const filled = new Map(Object.entries(values))
  for (const [name, property] of namedProperties(schema)) {
    if (filled.has(name)) filled.set(name, fillValue(filled.get(name), property, depth + 1))
    else if (keyword(property, 'default') !== undefined)
      filled.set(name, keyword(property, 'default'))
  }
  return Object.fromEntries(filled)
}
