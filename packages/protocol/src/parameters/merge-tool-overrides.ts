import {
  type JsonObject,
  type JsonSchema,
  getOwnField,
  isJsonObject,
  isString,
} from '../json/json.ts'
import { appendPointer } from '../json/json-pointer.ts'
import type { Problem } from '../json/problem.ts'
import type { ToolDefinition } from '../tools/tool-definition.ts'
import type { ParameterDefinition } from './parameter-definition.ts'
import {
  firstSentence,
  isRequired,
  parameterToSchema,
  schemaKeywords,
  schemaObject,
} from './parameters-to-schema.ts'

/** A user's configuration of a tool that describes itself, or that a server describes. */
export interface ToolOverrides extends Pick<ToolDefinition, 'title' | 'summary' | 'examples'> {
  /** `{{description}}` in it is replaced by the tool's own description. */
  description?: string
  /** The parameters, by name. Others stay unchanged. */
  parameters?: Readonly<Record<string, ParameterDefinition>>
}

/** A definition with the user's overrides, and the overrides that could not be applied. */
export interface MergedTool {
  definition: ToolDefinition
  /** The problems. Paths are relative to the overrides. */
  problems: readonly Problem<OverrideProblemCode>[]
  /** The defaults of the overrides, for `fillDefaults`, because the tool does not know them. Absent: there are none. */
  defaults?: JsonSchema
}

/**
 * Applies a user's overrides to a tool's definition: the user's values replace the tool's.
 *
 * - A parameter's override replaces the keywords that it has, also inside `items` and `properties`. Other keywords stay, `$ref` too. A summary is
 * used before a description.
 * - `required` can be added, never removed: the tool would refuse the call.
 * - An override for a parameter that the tool does not have is a problem, unless the tool lists no parameters.
 * - The caller of the tool fills in a `default` (`defaults`).
 * - Without a summary, the first sentence of a long description becomes the summary.
 */
export function mergeToolOverrides(
  definition: ToolDefinition,
  overrides: ToolOverrides,
): MergedTool {
  const { title, summary, examples, parameters = {} } = overrides
  const description = mergeText(overrides.description, definition.description)
  const brief = summary ?? definition.summary ?? firstSentence(description ?? '')
  const problems: Problem<OverrideProblemCode>[] = []
  const merge = { path: '/parameters', problems }
  const inputSchema =
    Object.keys(parameters).length === 0
      ? definition.inputSchema
      : mergeParameters(schemaObject(definition.inputSchema), parameters, merge)
  const defaults = ownDefaults(parameters, inputSchema)
  return {
    definition: {
      ...definition,
      ...(title !== undefined && { title }),
      ...(brief !== undefined && { summary: brief }),
      ...(description !== undefined && { description }),
      ...(examples !== undefined && { examples }),
      inputSchema,
    },
    problems,
    ...(defaults && { defaults }),
  }
}

/** The position of a merge in the overrides, and the problems until now. */
interface Merge {
  path: string
  problems: Problem<OverrideProblemCode>[]
}

/** Applies overrides to the properties of an object's schema. Problems are added to `merge.problems`. */
function mergeParameters(
  schema: JsonObject,
  overrides: Readonly<Record<string, ParameterDefinition>>,
  merge: Merge,
): JsonObject {
  const listed = getOwnField(schema, 'properties')
  const declared = isJsonObject(listed) ? listed : {}
  const isOpen = Object.keys(declared).length === 0
  const required = new Set(getNames(getOwnField(schema, 'required')))
  const merged = Object.entries(overrides).flatMap(([name, override]) => {
    const parameterMerge = { ...merge, path: appendPointer(merge.path, name) }
    if (!isOpen && !Object.hasOwn(declared, name))
      return refuse(parameterMerge, unknownParameter(declared))
    if (override.required === false && required.has(name)) refuse(parameterMerge, loosened)
    if (isOpen ? isRequired(override) : override.required) required.add(name)
    const laid = isOpen
      ? parameterToSchema(override)
      : mergeParameter(schemaObject(declared[name]), override, parameterMerge)
    return [[name, laid] as const]
  })
  return {
    ...schema,
    properties: Object.fromEntries([...Object.entries(declared), ...merged]),
    ...(required.size > 0 && { required: [...required] }),
  }
}

function getNames(required: unknown): string[] {
  return Array.isArray(required) ? required.filter(isString) : []
}

/** Replaces a tool's text with the user's. `{{description}}` in it is replaced by the tool's text. */
function mergeText(own: string | undefined, tool: unknown): string | undefined {
  const inherited = isString(tool) ? tool : undefined
  return own?.replaceAll(/\{\{\s*description\s*\}\}/g, () => inherited ?? '') ?? inherited
}

function mergeParameter(
  schema: JsonObject,
  override: ParameterDefinition,
  merge: Merge,
): JsonObject {
  const { summary, description, items, properties, ...keywords } = schemaKeywords(override)
  const text = summary ?? mergeText(description, getOwnField(schema, 'description'))
  const merged = { ...schema, ...keywords, ...(text !== undefined && { description: text }) }
  const withItems = items ? { ...merged, items: mergeItems(schema, items, merge) } : merged
  if (!properties) return withItems
  return mergeParameters(withItems, properties, { ...merge, path: `${merge.path}/properties` })
}

function mergeItems(schema: JsonObject, items: ParameterDefinition, merge: Merge): JsonObject {
  const declared = getOwnField(schema, 'items')
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

/** Returns the defaults of the overrides as a schema with nothing else; `undefined` if there are none. */
function ownDefaults(
  overrides: Readonly<Record<string, ParameterDefinition>>,
  merged: unknown,
): JsonObject | undefined {
  const declared = getOwnField(isJsonObject(merged) ? merged : {}, 'properties')
  if (!isJsonObject(declared)) return undefined
  const properties = Object.entries(overrides).flatMap(([name, override]) => {
    // An override for a parameter that the tool does not have was refused.
    const own = Object.hasOwn(declared, name) ? getOwn(override, declared[name]) : undefined
    return own ? [[name, own] as const] : []
  })
  return properties.length === 0 ? undefined : { properties: Object.fromEntries(properties) }
}

function getOwn(override: ParameterDefinition, merged: unknown): JsonObject | undefined {
  const items = override.items && getOwn(override.items, getItems(merged))
  const own = {
    ...(override.properties && ownDefaults(override.properties, merged)),
    ...(items && { items }),
    ...(Object.hasOwn(override, 'default') && { default: override.default }),
  }
  return Object.keys(own).length === 0 ? undefined : own
}

function getItems(schema: unknown): unknown {
  return isJsonObject(schema) ? getOwnField(schema, 'items') : undefined
}

/** The codes of override problems. */
export const OVERRIDE_PROBLEM_CODES = ['unknown-parameter', 'loosened-parameter'] as const

/** Why an override was not applied: the `code` of its `Problem`. */
type OverrideProblemCode = (typeof OVERRIDE_PROBLEM_CODES)[number]
