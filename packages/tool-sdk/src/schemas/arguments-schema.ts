import { hasDefault, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { ToolDefinitionError } from '../tool-definition-error.ts'

/** Keywords that may add properties elsewhere: an object with one of them is left as it is. */
const OPENING = [
  '$ref',
  'additionalProperties',
  'allOf',
  'anyOf',
  'dependentSchemas',
  'if',
  'oneOf',
  'patternProperties',
  'unevaluatedProperties',
]

/**
 * The schema of a tool's arguments: of an object, in which what has a default need not be given, and closed unless it says otherwise, because
 * an argument that a tool does not know is a mistake of the caller. Throws a `ToolDefinitionError` for a schema of anything else.
 */
export function argumentsSchema(schema: JsonObject, tool: string): JsonObject {
  const { type = 'object' } = schema
  if (type !== 'object') {
    const message = `the arguments of ${JSON.stringify(tool)} need the schema of an object, got one of type ${JSON.stringify(type)}`
    throw new ToolDefinitionError('arguments-not-object', message)
  }
  const isOpen = OPENING.some((keyword) => Object.hasOwn(schema, keyword))
  return { ...withoutFilled(schema), type, ...(!isOpen && { additionalProperties: false }) }
}

/** What is absent is filled in, so nobody must give it. */
function withoutFilled(schema: JsonObject): JsonObject {
  const { properties, required, ...rest } = schema
  if (!isJsonObject(properties) || !Array.isArray(required)) return schema
  const needed = required.filter(
    (name) =>
      !(
        typeof name === 'string' &&
        Object.hasOwn(properties, name) &&
        hasDefault(properties[name])
      ),
  )
  return { ...rest, properties, ...(needed.length > 0 && { required: needed }) }
}
