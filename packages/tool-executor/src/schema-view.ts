import {
  getOwnField,
  followReference,
  isJsonObject,
  type JsonObject,
  type JsonSchema,
} from '@toolblocks/protocol'

/** What a schema says of one value, through its local references, its `allOf` and its alternatives. */
export interface SchemaView {
  /** Schemas that all apply. */
  parts: readonly JsonObject[]
  /** For each `anyOf` and `oneOf`: its alternatives. */
  choices: readonly (readonly SchemaView[])[]
}

/** How much of one schema is looked at; what is left out is left for the check to name. */
const MAX_PARTS = 64

/** Looks through a schema; a part that leads back to itself is looked at once. */
export function viewSchema(schema: unknown, root: JsonSchema): SchemaView {
  const seen = new Set<JsonObject>()

  function view(start: unknown): SchemaView {
    const parts: JsonObject[] = []
    const choices: SchemaView[][] = []
    const open = [start]
    // Grows while it is gone through.
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

/** The types that a value may have; `undefined` where the schema leaves them open. */
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

/** The schemas that apply to a value of that type: all parts, and those of an alternative that no other one rivals. */
export function partsFor(view: SchemaView, type: string): readonly JsonObject[] {
  const chosen = view.choices.flatMap((branches) => {
    const [only, ...rivals] = branches.filter((branch) => findTypes(branch)?.has(type) ?? true)
    return only && rivals.length === 0 ? partsFor(only, type) : []
  })
  return [...view.parts, ...chosen]
}

/** The schema of the items of an array, or of one property of an object, as far as parts name it. */
export function schemaOfChild(
  parts: readonly JsonObject[],
  child: 'items' | { property: string },
): unknown {
  const found = parts.flatMap((part) => {
    if (child === 'items') return getOwnField(part, 'items') ?? []
    const properties = getOwnField(part, 'properties')
    return isJsonObject(properties) ? (getOwnField(properties, child.property) ?? []) : []
  })
  return found.length > 1 ? { allOf: found } : found[0]
}

/** The names of properties that parts name. */
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

/** The JSON Schema type of a value; `integer` for whole numbers that are exact. */
export function getType(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number'
  return typeof value
}
