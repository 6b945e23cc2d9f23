import {
  isJsonObject,
  MAX_SCHEMA_DEPTH,
  type JsonObject,
  type JsonSchema,
} from '@toolblocks/protocol'
import {
  keyword,
  namedProperties,
  partsFor,
  schemaOfChild,
  typeOf,
  viewSchema,
} from './schema-view.ts'

/** Adds the default of every absent parameter, also inside objects and list items that are present. */
export function fillDefaults(values: JsonObject, schema: JsonSchema): JsonObject {
  const filled = fillValue(values, schema, { root: schema, depth: 0 })
  return isJsonObject(filled) ? filled : values
}

interface At {
  root: JsonSchema
  depth: number
}

function fillValue(value: unknown, schema: unknown, { root, depth }: At): unknown {
  const isContainer = typeof value === 'object' && value !== null
  if (!isContainer || depth > MAX_SCHEMA_DEPTH || !isJsonObject(schema)) return value
  const parts = partsFor(viewSchema(schema, root), typeOf(value))
  const inside = { root, depth: depth + 1 }
  if (Array.isArray(value)) {
    const items = schemaOfChild(parts, 'items')
    return value.map((item) => fillValue(item, items, inside))
  }
  const filled = new Map<string, unknown>(Object.entries(value))
  for (const property of namedProperties(parts)) {
    const declared = schemaOfChild(parts, { property })
    if (filled.has(property))
      filled.set(property, fillValue(filled.get(property), declared, inside))
    else {
      const preset = defaultOf(declared, root)
      if (preset !== undefined) filled.set(property, preset)
    }
  }
  return Object.fromEntries(filled)
}

/** The default beside a reference counts before that of what it refers to. */
function defaultOf(schema: unknown, root: JsonSchema): unknown {
  const { parts } = viewSchema(schema, root)
  return parts.map((part) => keyword(part, 'default')).find((value) => value !== undefined)
}
