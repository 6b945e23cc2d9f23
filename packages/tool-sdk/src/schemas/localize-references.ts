import { appendPointer, isJsonObject, type JsonObject, mapSchema } from '@toolblocks/protocol'

/** A definition that calls itself by a name. */
interface Named {
  name: string
  /** Of the schema that holds the definition: where the name can be used. */
  scope: string
  path: string
}

/**
 * Writes references by name as JSON Pointers: TypeBox names its recursive types by `$id`, which only whoever resolves
 * names can follow.
 */
export function localizeReferences(schema: JsonObject): JsonObject {
  const named: Named[] = []
  const withoutNames = mapSchema(schema, (part, path) => {
    const { $defs } = part
    if (!isJsonObject($defs)) return part
    const definitions = Object.entries($defs).map(([name, definition]) => {
      if (!isJsonObject(definition) || definition['$id'] !== name) return [name, definition]
      named.push({ name, scope: path, path: appendPointer(appendPointer(path, '$defs'), name) })
      const { $id: _name, ...rest } = definition
      return [name, rest]
    })
    return { ...part, $defs: Object.fromEntries(definitions) }
  })
  if (named.length === 0) return schema
  return mapSchema(withoutNames, (part, path) => {
    const target = nearest(named, part['$ref'], path)
    return target ? { ...part, $ref: `#${encodeURI(target.path)}` } : part
  })
}

function nearest(named: readonly Named[], reference: unknown, path: string): Named | undefined {
  return named.findLast(
    ({ name, scope }) => name === reference && (path === scope || path.startsWith(`${scope}/`)),
  )
}
