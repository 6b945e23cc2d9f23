import { type JsonObject, type JsonSchema, isJsonObject, isString } from '../json/json.ts'
import type { ParameterDefinition } from './parameter-definition.ts'
import { normalizePrefixItems } from './map-schema.ts'
import { withinProperties } from './within-properties.ts'

/**
 * Returns the JSON Schema of a tool's arguments: a closed object. A parameter is required if it says so, or if it does not say, has no `default`
 * and may not be null. A `summary` is used before a `description`. Unknown keywords do not change. An object parameter with `properties` is closed
 * too, unless it has its own `additionalProperties`.
 */
export function parametersToSchema(
  parameters: Readonly<Record<string, ParameterDefinition>>,
): JsonObject {
  return { type: 'object', ...propertyKeywords(parameters), additionalProperties: false }
}

/** Returns the JSON Schema of one parameter. */
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

/** Returns a parameter without the keywords for the host. */
export function schemaKeywords(definition: ParameterDefinition): ParameterDefinition {
  const { required: _required, code: _code, allow_dash: _allowDash, ...keywords } = definition
  return keywords
}

/** Whether a parameter must be given: because it says so, or because it has no default and may not be null. */
export function isRequired(definition: ParameterDefinition): boolean {
  const { required, type } = definition
  return required ?? !(Object.hasOwn(definition, 'default') || [type].flat().includes('null'))
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

/**
 * Converts the JSON Schema of a tool's arguments into parameters, from which `parametersToSchema` makes the same schema again. A `description`
 * becomes the `summary`. Unknown keywords do not change. A tuple in the older form (an array as `items`) becomes the newer one.
 *
 * The target of a reference outside the parameters, such as `$defs`, replaces the reference. A recursive or large target is written once, in the
 * `$defs` of a parameter, with the reference `#/properties/NAME/$defs/DEFINITION`.
 *
 * What parameters cannot express is omitted: other keywords beside `properties` at the top, required names without a property, and keywords named
 * `code` or `allow_dash`, which have another meaning there. A schema that is not an object has no parameters.
 */
export function schemaToParameters(schema: JsonSchema): Record<string, ParameterDefinition> {
  return propertiesToParameters(withinProperties(schemaObject(schema)))
}

function propertiesToParameters({
  properties,
  required,
}: JsonObject): Record<string, ParameterDefinition> {
  if (!isJsonObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const definition = schemaToParameter(property)
      const mustBeGiven = Array.isArray(required) && required.includes(name)
      // Written only if it does not follow from the default.
      const says = mustBeGiven !== isRequired(definition) && { required: mustBeGiven }
      return [name, { ...definition, ...says }]
    }),
  )
}

/** Returns a schema as an object: `true` is empty, `false` refuses everything. */
export function schemaObject(schema: unknown): JsonObject {
  if (schema === false) return { not: {} }
  return isJsonObject(schema) ? schema : {}
}

function schemaToParameter(schema: unknown): ParameterDefinition {
  const { description, required, ...others } = normalizePrefixItems(schemaObject(schema))
  // A tool's schema cannot set what a host allows for its arguments.
  const { code: _code, allow_dash: _allowDash, ...ownKeywords } = others
  const { items, properties, additionalProperties, ...keywords } = ownKeywords
  // A parameter with properties is closed by default.
  const lists = isJsonObject(properties)
  const additional = lists ? (additionalProperties ?? true) : additionalProperties
  const isImplied = additional === undefined || (lists && additional === false)
  return {
    ...keywords,
    ...(isString(description) && { summary: description }),
    ...(items !== undefined && { items: schemaToParameter(items) }),
    ...(lists && { properties: propertiesToParameters({ properties, required }) }),
    ...(!isImplied && { additionalProperties: additional }),
  }
}

const MAX_LINE_LENGTH = 120

const ABBREVIATION = /(?:^|[ (])(?:e\.g|i\.e|etc|vs|cf|approx|incl)\.$/i

/**
 * Returns the first sentence of a text that is longer than one line of 120 characters; `undefined` for a short text, and for a text of one
 * sentence.
 */
export function firstSentence(text: string): string | undefined {
  const whole = text.trim()
  if (!whole.includes('\n') && whole.length <= MAX_LINE_LENGTH) return undefined
  const paragraph = (whole.split(/\n\s*\n/, 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim()
  for (const { index } of paragraph.matchAll(/[.!?](?= )/g)) {
    const sentence = paragraph.slice(0, index + 1)
    if (!ABBREVIATION.test(sentence.slice(-9))) return sentence
  }
  return paragraph.length < whole.length ? paragraph : undefined
}
