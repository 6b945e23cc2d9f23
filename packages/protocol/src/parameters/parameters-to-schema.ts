import type { JsonObject } from '../json/json.ts'
import type { ParameterDefinition } from './parameter-definition.ts'

/**
 * Writes a tool's parameters as the JSON Schema of its arguments: a closed object, in which a parameter is
 * required if it says so, or says nothing, has no `default` and may not be null. A `summary` stands before a `description`; keywords that
 * are not ours travel unchanged. An object parameter that lists `properties` is closed too, unless it has its own
 * `additionalProperties`.
 */
export function parametersToSchema(
  parameters: Readonly<Record<string, ParameterDefinition>>,
): JsonObject {
  return { type: 'object', ...propertyKeywords(parameters), additionalProperties: false }
}

/** Writes one parameter as a JSON Schema. */
export function parameterToSchema(definition: ParameterDefinition): JsonObject {
  const { summary, description, items, properties, ...keywords } = schemaKeywords(definition)
  const text = summary ?? description
  const { additionalProperties = false } = keywords
  return {
    ...keywords,
    ...(text !== undefined && { description: text }),
    ...(items && { items: parameterToSchema(items) }),
    ...(properties && { ...propertyKeywords(properties), additionalProperties }),
  }
}

/** A parameter without what only a host needs to know. */
export function schemaKeywords(definition: ParameterDefinition): ParameterDefinition {
  const { required: _required, code: _code, allow_dash: _allowDash, ...keywords } = definition
  return keywords
}

/** Says whether a parameter must be given: by itself, or because nothing stands in for it and it may not be null. */
export function isRequired(definition: ParameterDefinition): boolean {
  return definition.required ?? !(Object.hasOwn(definition, 'default') || mayBeNull(definition))
}

function mayBeNull({ type }: ParameterDefinition): boolean {
  return Array.isArray(type) ? type.includes('null') : type === 'null'
}

function propertyKeywords(parameters: Readonly<Record<string, ParameterDefinition>>): JsonObject {
  const entries = Object.entries(parameters)
  const required = entries.filter(([, definition]) => isRequired(definition)).map(([name]) => name)
  return {
    properties: Object.fromEntries(
      entries.map(([name, definition]) => [name, parameterToSchema(definition)]),
    ),
    ...(required.length > 0 && { required }),
  }
}
