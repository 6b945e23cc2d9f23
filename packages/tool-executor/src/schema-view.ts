import { type JsonObject, type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, followReference } from '@toolblocks/protocol/internal'

/** A schema's constraints for one value, with local references, `allOf` and alternatives resolved. */
export interface SchemaView {
  /** Schemas that all apply. */
  parts: readonly JsonObject[]
  /** The alternatives of each `anyOf` and `oneOf`. */
  choices: readonly (readonly SchemaView[])[]
}

/** How many subschemas of one schema are read. The validation covers the rest. */
const MAX_PARTS = 64

/** Reads a schema. A part that refers to itself is read once. */
export function viewSchema(schema: unknown, root: JsonSchema): SchemaView {
  const seen = new Set<JsonObject>()

  function view(start: unknown): SchemaView {
    const parts: JsonObject[] = []
    const choices: SchemaView[][] = []
    const open = [start]
    // The list grows during the loop.
    for (const part of open) {
      if (seen.size === MAX_PARTS) break
      if (!isJsonObject(part) || seen.has(part)) continue
      seen.add(part)
      parts.push(part)
      open.push(followReference(root, getOwnField(part, '$ref'))?.schema, ...getList(part, 'allOf'))
      for (const name of ['anyOf', 'oneOf']) {
        const branches = getList(part, name)
        if (branches.length > 0) choices.push(branches.map(view))
      }
    }
    return { parts, choices }
  }

  return view(schema)
}

/** Returns the types that a value may have; `undefined` if the schema allows any. */
export function findTypes({ parts, choices }: SchemaView): ReadonlySet<string> | undefined {
  const declared = parts.flatMap((part) => {
    const type = getOwnField(part, 'type')
    const types = Array.isArray(type) ? type : [type]
    const names = types.filter((name) => typeof name === 'string')
    return names.length === 0 ? [] : [new Set(names)]
  })
  const chosen = choices.flatMap((branches) => {
    const types = branches.map(findTypes)
    return types.every((names) => names !== undefined)
      ? [new Set(types.flatMap((names) => [...names]))]
      : []
  })
  const [first, ...others] = [...declared, ...chosen]
  return first && new Set([...first].filter((type) => others.every((types) => types.has(type))))
}

/** Returns the schemas that apply to a value of that type: all parts, and an alternative if it is the only one for that type. */
export function partsFor(view: SchemaView, type: string): readonly JsonObject[] {
  const chosen = view.choices.flatMap((branches) => {
    const [only, ...rivals] = branches.filter((branch) => findTypes(branch)?.has(type) ?? true)
    return only && rivals.length === 0 ? partsFor(only, type) : []
  })
  return [...view.parts, ...chosen]
}

/** Returns the schema of an array's items or of one property of an object. */
export function schemaOfChild(
  parts: readonly JsonObject[],
  child: 'items' | { property: string },
): unknown {
  const children = parts.flatMap((part) => {
    if (child === 'items') return getOwnField(part, 'items') ?? []
    const properties = getOwnField(part, 'properties')
    return isJsonObject(properties) ? (getOwnField(properties, child.property) ?? []) : []
  })
  return children.length > 1 ? { allOf: children } : children[0]
}

/** Returns the names of the declared properties. */
export function namedProperties(parts: readonly JsonObject[]): readonly string[] {
  const names = parts.flatMap((part) => {
    const properties = getOwnField(part, 'properties')
    return isJsonObject(properties) ? Object.keys(properties) : []
  })
  return [...new Set(names)]
}

function getList(schema: JsonObject, name: string): readonly unknown[] {
  const value = getOwnField(schema, name)
  return Array.isArray(value) ? value : []
}

/** Returns the JSON Schema type of a value: `integer` for safe integers. */
export function getType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number'
  return typeof value
}
