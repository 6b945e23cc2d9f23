import {
  type JsonObject,
  type ParameterDefinition,
  type ToolDescription,
  isJsonObject,
} from '@toolblocks/protocol'
import { schemaToArguments, hasDefault, isRequired, mapSchema } from '@toolblocks/protocol/internal'
import { ToolDefinitionError } from './tool-definition-error.ts'

type Parameters = Readonly<Record<string, ParameterDefinition>>

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
    const message = `the inputSchema of ${JSON.stringify(tool)}: expected the schema of an object, got one of type ${JSON.stringify(type)}; arguments have names, so put the value into a property`
    throw new ToolDefinitionError('input-not-object', message)
  }
  const isOpen = OPENING.some((keyword) => Object.hasOwn(schema, keyword))
  return { ...makeFilledOptional(schema), type, ...(!isOpen && { additionalProperties: false }) }
}

/** What is absent is filled in, so nobody must give it. */
function makeFilledOptional(schema: JsonObject): JsonObject {
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

/**
 * The arguments of a tool as its description carries them, from the schema as its author wrote it: `required` is always
 * said, and where a property has a `summary`, its `description` is the long text.
 */
export function describeArguments(
  authored: JsonObject,
): Pick<ToolDescription, 'parameters' | 'inputSchema'> {
  const { parameters = {}, inputSchema } = schemaToArguments(withShortTexts(authored))
  return {
    parameters: withLongTexts(markRequired(parameters), authored),
    ...(inputSchema !== undefined && { inputSchema }),
  }
}

/** A schema for models: what it says of a value is the `summary` where there is one. */
function withShortTexts(schema: JsonObject): JsonObject {
  return mapSchema(schema, (part) => {
    const { summary, ...rest } = part
    return typeof summary === 'string' ? { ...rest, description: summary } : part
  })
}

/** Says of every parameter whether it must be given. */
export function markRequired(parameters: Parameters): Parameters {
  return mapParameters(parameters, (definition) => ({
    ...definition,
    required: isRequired(definition),
    ...(definition.items && { items: markRequiredInside(definition.items) }),
    ...(definition.properties && { properties: markRequired(definition.properties) }),
  }))
}

/** Items are neither required nor not; what they have may be. */
function markRequiredInside(definition: ParameterDefinition): ParameterDefinition {
  const { items, properties } = definition
  return {
    ...definition,
    ...(items && { items: markRequiredInside(items) }),
    ...(properties && { properties: markRequired(properties) }),
  }
}

function withLongTexts(parameters: Parameters, schema: unknown): Parameters {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  if (!isJsonObject(properties)) return parameters
  return mapParameters(parameters, (definition, name) => withLongText(definition, properties[name]))
}

function withLongText(definition: ParameterDefinition, schema: unknown): ParameterDefinition {
  if (!isJsonObject(schema)) return definition
  const { summary, description } = schema
  const isLong = typeof summary === 'string' && typeof description === 'string'
  return {
    ...definition,
    ...(isLong && { description }),
    ...(definition.items && { items: withLongText(definition.items, schema['items']) }),
    ...(definition.properties && { properties: withLongTexts(definition.properties, schema) }),
  }
}

function mapParameters(
  parameters: Parameters,
  change: (definition: ParameterDefinition, name: string) => ParameterDefinition,
): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, definition]) => [name, change(definition, name)]),
  )
}
