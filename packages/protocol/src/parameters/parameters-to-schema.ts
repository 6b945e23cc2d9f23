import { type JsonObject, type JsonSchema, isJsonObject, isString } from '../json/json.ts'
import type { ParameterDefinition } from './parameter-definition.ts'
import { normalizePrefixItems } from './map-schema.ts'
import { withinProperties } from './within-properties.ts'

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
 * Reads the JSON Schema of a tool's arguments as parameters, from which `parametersToSchema` makes the same schema again.
 * A `description` becomes the `summary`; keywords that are not ours travel unchanged; a tuple in
 * the older form (an array as `items`) takes the newer one.
 *
 * What a parameter refers to outside of the parameters, such as `$defs`, is written in its place; what is recursive or large stands once, in the
 * `$defs` of a parameter, and is referred to as `#/properties/NAME/$defs/DEFINITION`.
 *
 * What parameters cannot say is left out: other keywords beside `properties` at the top, required names without a property, and keywords
 * called `code` or `allow_dash`, which mean something else there. A schema that is no object has no parameters.
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
      // Said only where it cannot be told from the default.
      const says = mustBeGiven !== isRequired(definition) && { required: mustBeGiven }
      return [name, { ...definition, ...says }]
    }),
  )
}

/** Gives a schema as an object: `true` says nothing, `false` refuses everything. */
export function schemaObject(schema: unknown): JsonObject {
  if (schema === false) return { not: {} }
  return isJsonObject(schema) ? schema : {}
}

function schemaToParameter(schema: unknown): ParameterDefinition {
  const { description, required, ...others } = normalizePrefixItems(schemaObject(schema))
  // Nobody's schema says what a host allows its arguments.
  const { code: _code, allow_dash: _allowDash, ...said } = others
  const { items, properties, additionalProperties, ...keywords } = said
  // A parameter that lists its properties is closed unless it says otherwise.
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
 * Gives the first sentence of a text that is longer than one line of 120 characters; `undefined` for a text that is
 * short, or has only one sentence.
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
