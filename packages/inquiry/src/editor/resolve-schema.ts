import { followReference, isJsonObject, isJsonSchema, type JsonSchema } from '@toolblocks/protocol'

const MOST_STEPS = 16

/** The schema a template is made from: local references are followed, of alternatives the first is taken. */
export function resolveSchema(schema: unknown, root: JsonSchema): JsonSchema {
  let resolved: unknown = schema
  for (let step = 0; step < MOST_STEPS && isJsonObject(resolved); step++) {
    const { $ref: reference, type, properties } = resolved
    const alternatives = resolved['oneOf'] ?? resolved['anyOf']
    if (typeof reference === 'string') resolved = followReference(root, reference)?.schema ?? true
    else if (Array.isArray(alternatives) && isJsonObject(alternatives[0]) && !type && !properties) {
      if (Object.hasOwn(alternatives[0], 'const')) break
      resolved = alternatives[0]
    } else break
  }
  return isJsonSchema(resolved) ? resolved : true
}
