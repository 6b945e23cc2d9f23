import {
  isJsonObject,
  isRequired,
  type JsonObject,
  mapSchema,
  type ParameterDefinition,
  schemaToArguments,
  type ToolDescription,
} from '@toolblocks/protocol'

type Parameters = Readonly<Record<string, ParameterDefinition>>

/**
 * The arguments of a tool as its description carries them, from the schema as its author wrote it: `required` is always
 * said, and where a property has a `summary`, its `description` is the long text.
 */
export function describeArguments(
  authored: JsonObject,
): Pick<ToolDescription, 'parameters' | 'inputSchema'> {
  const { parameters = {}, inputSchema } = schemaToArguments(withShortTexts(authored))
  return {
    parameters: withLongTexts(sayRequired(parameters), authored),
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
export function sayRequired(parameters: Parameters): Parameters {
  return mapParameters(parameters, (definition) => ({
    ...definition,
    required: isRequired(definition),
    ...(definition.items && { items: sayInside(definition.items) }),
    ...(definition.properties && { properties: sayRequired(definition.properties) }),
  }))
}

/** Items are neither required nor not; what they have may be. */
function sayInside(definition: ParameterDefinition): ParameterDefinition {
  const { items, properties } = definition
  return {
    ...definition,
    ...(items && { items: sayInside(items) }),
    ...(properties && { properties: sayRequired(properties) }),
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
