import { isJsonObject, isJsonSchema, type JsonSchema } from '@toolblocks/protocol'

const MOST_STEPS = 16

/** The schema a template is made from: local references are followed, of alternatives the first is taken. */
export function resolveSchema(schema: unknown, root: JsonSchema): JsonSchema {
  let resolved: unknown = schema
  for (let step = 0; step < MOST_STEPS && isJsonObject(resolved); step++) {
    const { $ref: reference, type, properties } = resolved
    const alternatives = resolved['oneOf'] ?? resolved['anyOf']
    if (typeof reference === 'string') resolved = follow(reference, root)
    else if (Array.isArray(alternatives) && isJsonObject(alternatives[0]) && !type && !properties) {
      if (Object.hasOwn(alternatives[0], 'const')) break
      resolved = alternatives[0]
    } else break
  }
  return isJsonSchema(resolved) ? resolved : true
}

function follow(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return true
  let found: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isJsonObject(found) || !Object.hasOwn(found, name)) return true
    found = found[name]
  }
  return found
}
