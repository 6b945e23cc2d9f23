import { field, isJsonObject } from '../json/fields.ts'
import type { JsonObject } from '../json/json.ts'
import type { ParameterDefinition } from './parameter-definition.ts'

type Parameters = Readonly<Record<string, ParameterDefinition>>

/** The defaults that overrides brought into a schema, as a schema that says nothing else; `undefined` where there is no such default. */
export function ownDefaults(overrides: Parameters, merged: unknown): JsonObject | undefined {
  const declared = field(isJsonObject(merged) ? merged : {}, 'properties')
  if (!isJsonObject(declared)) return undefined
  const properties = Object.entries(overrides).flatMap(([name, override]) => {
    // An override for a parameter that the tool does not have was refused.
    const own = Object.hasOwn(declared, name) ? ownOf(override, declared[name]) : undefined
    return own ? [[name, own] as const] : []
  })
  return properties.length === 0 ? undefined : { properties: Object.fromEntries(properties) }
}

function ownOf(override: ParameterDefinition, merged: unknown): JsonObject | undefined {
  const items = override.items && ownOf(override.items, itemsOf(merged))
  const own = {
    ...(override.properties && ownDefaults(override.properties, merged)),
    ...(items && { items }),
    ...(Object.hasOwn(override, 'default') && { default: override.default }),
  }
  return Object.keys(own).length === 0 ? undefined : own
}

function itemsOf(schema: unknown): unknown {
  return isJsonObject(schema) ? field(schema, 'items') : undefined
}
