import {
  isJsonObject,
  isLocalReference,
  type JsonObject,
  type JsonSchema,
  mapSchema,
} from '@toolblocks/protocol'

/** What a schema says of all of itself, or refers to from its root; it stays there. */
const OF_THE_ROOT = ['$schema', '$defs', 'definitions']
const ANSWER = '#/properties/answer'

/**
 * The schema of `{"answer": …}`, the same for every question of a kind and without its id, so that prompts can be cached.
 * References keep what they refer to.
 */
export function wrapSchema(schema: JsonSchema): JsonSchema {
  const moved = isJsonObject(schema) ? mapSchema(schema, moveReference) : {}
  const [root, own] = split(moved)
  return {
    ...root,
    type: 'object',
    properties: { answer: isJsonObject(schema) ? own : schema },
    required: ['answer'],
    additionalProperties: false,
  }
}

function split(schema: JsonObject): readonly [root: JsonObject, own: JsonObject] {
  const entries = Object.entries(schema)
  return [
    Object.fromEntries(entries.filter(([keyword]) => OF_THE_ROOT.includes(keyword))),
    Object.fromEntries(entries.filter(([keyword]) => !OF_THE_ROOT.includes(keyword))),
  ]
}

function moveReference(schema: JsonObject): JsonObject {
  const reference = schema['$ref']
  if (!isLocalReference(reference)) return schema
  const isOfRoot = OF_THE_ROOT.some((name) => reference.startsWith(`#/${name}/`))
  return isOfRoot ? schema : { ...schema, $ref: `${ANSWER}${reference.slice(1)}` }
}
