import { isJsonObject, type JsonObject } from '@toolblocks/protocol'

/** The subschemas that a value at a path is checked against, alternatives side by side. */
function schemasAt(schema: unknown, path: readonly string[]): readonly JsonObject[] {
  if (!isJsonObject(schema)) return []
  const alternatives = Array.isArray(schema['anyOf']) ? schema['anyOf'] : []
  const below = alternatives.flatMap((alternative) => schemasAt(alternative, path))
  const [step, ...rest] = path
  if (step === undefined) return [schema, ...below]
  const { properties, additionalProperties, items } = schema
  const isNamed = isJsonObject(properties) && Object.hasOwn(properties, step)
  const next = isNamed ? properties[step] : (additionalProperties ?? items)
  return [...schemasAt(next, rest), ...below]
}

/** The keys that a table at a path may have. */
export function keysAt(schema: JsonObject, path: readonly string[]): readonly string[] {
  return schemasAt(schema, path).flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  )
}

/** The words that a value at a path may be. */
export function wordsAt(schema: JsonObject, path: readonly string[]): readonly string[] {
  return schemasAt(schema, path)
    .flatMap(({ enum: values }): readonly unknown[] => (Array.isArray(values) ? values : []))
    .filter((value) => typeof value === 'string')
}
