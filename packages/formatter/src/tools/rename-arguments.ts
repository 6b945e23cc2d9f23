import { field, followReference, isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** Gives properties of a value other names; `nameOf` says how the schema calls one, `rename` how it is called from now on. */
export interface Renaming {
  nameOf(key: string): string
  rename(name: string): string
}

/**
 * Renames the properties of a value that its schema knows, at any depth. What no schema names, such as a key of a map, is the
 * model's own and stays.
 */
export function renameArguments(value: unknown, root: JsonObject, renaming: Renaming): unknown {
  const inPlace = new Map<JsonObject, readonly JsonObject[]>()

  /** A schema with all those that apply to the same value. */
  function applied(schema: JsonObject): readonly JsonObject[] {
    const known = inPlace.get(schema)
    if (known) return known
    const found = new Set<JsonObject>([schema])
    for (const each of found) for (const next of besides(each, root)) found.add(next)
    const all = [...found]
    inPlace.set(schema, all)
    return all
  }

  function renamed(given: unknown, schemas: readonly JsonObject[]): unknown {
    const known = [...new Set(schemas.flatMap(applied))]
    if (known.length === 0) return given
    if (Array.isArray(given))
      return given.map((item: unknown, index) => renamed(item, itemsOf(known, index)))
    if (!isJsonObject(given)) return given
    return Object.fromEntries(
      Object.entries(given).map(([key, item]) => {
        const name = renaming.nameOf(key)
        const named = schemasAt(known, 'properties', name)
        if (named.length > 0) return [renaming.rename(name), renamed(item, named)]
        return [key, renamed(item, othersOf(known))]
      }),
    )
  }

  return renamed(value, [root])
}

function besides(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const place = followReference(root, field(schema, '$ref'))?.schema
  const lists = ['allOf', 'anyOf', 'oneOf'].map((keyword) => field(schema, keyword))
  const single = ['if', 'then', 'else'].map((keyword) => field(schema, keyword))
  const dependent = field(schema, 'dependentSchemas')
  return [
    place,
    ...single,
    ...lists.flatMap((list: unknown): unknown[] => (Array.isArray(list) ? list : [])),
    ...(isJsonObject(dependent) ? Object.values(dependent) : []),
  ].filter(isJsonObject)
}

function schemasAt(
  schemas: readonly JsonObject[],
  keyword: string,
  name: string,
): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    const named = field(schema, keyword)
    const found = isJsonObject(named) && Object.hasOwn(named, name) ? named[name] : undefined
    if (found === undefined) return []
    return [isJsonObject(found) ? found : {}]
  })
}

function itemsOf(schemas: readonly JsonObject[], index: number): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    const items = field(schema, 'items')
    const prefix = field(schema, 'prefixItems')
    const listed: unknown = Array.isArray(items) ? items : prefix
    const at: unknown = Array.isArray(listed) ? listed[index] : undefined
    const rest = Array.isArray(items) ? field(schema, 'additionalItems') : items
    return [at ?? rest].filter(isJsonObject)
  })
}

/** For a property without a name of its own. */
function othersOf(schemas: readonly JsonObject[]): readonly JsonObject[] {
  return schemas.flatMap((schema) => {
    const patterns = field(schema, 'patternProperties')
    return [
      ...(isJsonObject(patterns) ? Object.values(patterns) : []),
      field(schema, 'additionalProperties'),
    ].filter(isJsonObject)
  })
}
