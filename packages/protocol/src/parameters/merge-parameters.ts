import { field, isJsonObject, isString } from '../json/fields.ts'
import { appendPointer } from '../json/json-pointer.ts'
import type { JsonObject } from '../json/json.ts'
import type { Problem } from '../problem.ts'
import type { ParameterDefinition } from './parameter-definition.ts'
import { isRequired, parameterToSchema, schemaKeywords } from './parameters-to-schema.ts'
import { schemaObject } from './schema-to-parameters.ts'
import type { OverrideProblemCode } from './override-problem-code.ts'

/** Where in the overrides a merge is, and what did not fit so far. */
interface Merge {
  path: string
  problems: Problem<OverrideProblemCode>[]
}

/** Lays overrides over the properties of an object's schema; what does not fit is added to `merge.problems`. */
export function mergeParameters(
  schema: JsonObject,
  overrides: Readonly<Record<string, ParameterDefinition>>,
  merge: Merge,
): JsonObject {
  const listed = field(schema, 'properties')
  const declared = isJsonObject(listed) ? listed : {}
  const isOpen = Object.keys(declared).length === 0
  const required = new Set(namesOf(field(schema, 'required')))
  const merged = Object.entries(overrides).flatMap(([name, override]) => {
    const at = { ...merge, path: appendPointer(merge.path, name) }
    if (!isOpen && !Object.hasOwn(declared, name)) return refuse(at, unknownParameter(declared))
    if (override.required === false && required.has(name)) refuse(at, loosened)
    if (isOpen ? isRequired(override) : override.required) required.add(name)
    const laid = isOpen
      ? parameterToSchema(override)
      : mergeParameter(schemaObject(declared[name]), override, at)
    return [[name, laid] as const]
  })
  return {
    ...schema,
    properties: Object.fromEntries([...Object.entries(declared), ...merged]),
    ...(required.size > 0 && { required: [...required] }),
  }
}

function namesOf(required: unknown): string[] {
  return Array.isArray(required) ? required.filter(isString) : []
}

/** Lays a user's text over a tool's; `{{description}}` in it stands for the tool's. */
export function mergeText(own: string | undefined, tool: unknown): string | undefined {
  const inherited = isString(tool) ? tool : undefined
  return own?.replaceAll(/\{\{\s*description\s*\}\}/g, () => inherited ?? '') ?? inherited
}

function mergeParameter(
  schema: JsonObject,
  override: ParameterDefinition,
  merge: Merge,
): JsonObject {
  const { summary, description, items, properties, ...keywords } = schemaKeywords(override)
  const text = summary ?? mergeText(description, field(schema, 'description'))
  const merged = { ...schema, ...keywords, ...(text !== undefined && { description: text }) }
  const withItems = items ? { ...merged, items: mergeItems(schema, items, merge) } : merged
  if (!properties) return withItems
  return mergeParameters(withItems, properties, { ...merge, path: `${merge.path}/properties` })
}

function mergeItems(schema: JsonObject, items: ParameterDefinition, merge: Merge): JsonObject {
  const declared = field(schema, 'items')
  if (!isJsonObject(declared)) return parameterToSchema(items)
  return mergeParameter(declared, items, { ...merge, path: `${merge.path}/items` })
}

function refuse(
  { path, problems }: Merge,
  problem: Omit<Problem<OverrideProblemCode>, 'path'>,
): [] {
  problems.push({ path, ...problem })
  return []
}

function unknownParameter(declared: JsonObject): Omit<Problem<OverrideProblemCode>, 'path'> {
  return {
    code: 'unknown-parameter',
    message: 'the tool has no parameter of this name; correct the name or remove the override',
    expected: `one of ${Object.keys(declared).join(', ')}`,
  }
}

const loosened: Omit<Problem<OverrideProblemCode>, 'path'> = {
  code: 'loosened-parameter',
  message: 'the tool needs this parameter, so it stays required; remove "required = false"',
}
