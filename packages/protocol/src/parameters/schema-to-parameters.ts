import { isJsonObject, isString } from '../json/fields.ts'
import type { JsonObject, JsonSchema } from '../json/json.ts'
import type { ParameterDefinition } from './parameter-definition.ts'
import { isRequired } from './parameters-to-schema.ts'
import { withinProperties } from './within-properties.ts'
import { withPrefixItems } from './with-prefix-items.ts'

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
  const { description, required, ...others } = withPrefixItems(schemaObject(schema))
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
