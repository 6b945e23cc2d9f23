import { type JsonObject, type JsonSchema, getOwnField, isJsonObject } from '../json/json.ts'
import { followReference } from '../json/json-pointer.ts'
import { hasDefault } from './fill-defaults.ts'
import { mapSchema } from './map-schema.ts'

const made = new WeakMap<JsonObject, JsonObject>()

/**
 * Returns the schema without `required` for properties that have a default, at every depth. Schema libraries write `required` for them, because they
 * describe the value after its defaults are filled in; whoever calls the tool may leave them out. Returns the same schema if nothing changes. Under
 * `not`, nothing changes, because there it would refuse more.
 */
export function makeDefaultsOptional<Schema extends JsonSchema>(schema: Schema): Schema {
  if (!isJsonObject(schema)) return schema
  const known = made.get(schema)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays an object
  if (known) return known as Schema
  let isChanged = false
  const change = (part: JsonObject, path: string): JsonObject => {
    const required = getOwnField(part, 'required')
    const properties = getOwnField(part, 'properties')
    if (!Array.isArray(required) || !isJsonObject(properties) || NEGATED.test(path)) return part
    const needed = required.filter(
      (name) => !isOptional(getOwnField(properties, String(name)), schema),
    )
    if (needed.length === required.length) return part
    isChanged = true
    const { required: _required, ...rest } = part
    return needed.length === 0 ? rest : { ...part, required: needed }
  }
  const mapped = mapSchema(schema, change)
  const optional = isChanged ? mapped : schema
  made.set(schema, optional)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays an object
  return optional as Schema
}

/** A path under the keyword `not`, which no property is called. */
const NEGATED =
  /(?<!\/(?:properties|patternProperties|\$defs|definitions|dependentSchemas))\/not(?:\/|$)/

/** Whether a property has a default, or refers to a schema that has one. */
function isOptional(property: unknown, root: JsonSchema): boolean {
  if (hasDefault(property)) return true
  if (!isJsonObject(property)) return false
  const target = followReference(root, getOwnField(property, '$ref'))
  return hasDefault(target?.schema)
}
