import {
  type JsonObject,
  type JsonSchema,
  type ToolDefinition,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  getOwnField,
  requireArguments,
  correctSchema,
  makeDefaultsOptional,
  mapSchema,
  quoteBriefly,
  shortenText,
} from '@toolblocks/protocol/internal'
import type { ModelProfile, PropertyRule } from '../model/model-profile.ts'
import type { ModelMessage } from '../model/model-request.ts'
import {
  type FlatRoot,
  findConstraints,
  flattenRoot,
  describeBranches,
} from './describe-branches.ts'
import { nameProperties } from './name-properties.ts'
import {
  type ParameterNames,
  type ToolNames,
  createNameMap,
  createToolNames,
} from './tool-names.ts'
import type { RequestChange } from './request-change.ts'

/** A tool as a provider accepts it. */
export interface ProviderTool {
  name: string
  /** The definition's `summary`, else its `description`. */
  description?: string
  inputSchema: JsonObject
}

/** Gives tools names that a provider accepts, and repairs their schemas. */
export function toProviderTools(
  tools: readonly ToolDefinition[],
  messages: readonly ModelMessage[],
  profile: ModelProfile,
): { tools: readonly ProviderTool[]; names: ToolNames; changes: readonly RequestChange[] } {
  requireArguments(
    'toProviderTools(tools, messages, profile)',
    [tools, 'array'],
    [messages, 'array'],
    [profile, 'object'],
  )
  const map = createNameMap(namesIn(tools, messages), profile.toolNames)
  const changes: RequestChange[] = []
  const parameters = new Map<string, ParameterNames>()
  const provided = tools.map((tool, index): ProviderTool => {
    const path = `/tools/${index}`
    const name = map.to(tool.name)
    if (name !== tool.name)
      changes.push({
        path: `${path}/name`,
        code: 'name-changed',
        message: `the tool ${quoteBriefly(tool.name)} is called ${name} for this provider`,
      })
    const repaired = repairFor(profile, tool.inputSchema)
    if (repaired.parameters) parameters.set(tool.name, repaired.parameters)
    for (const change of repaired.changes)
      changes.push({ ...change, path: `${path}/inputSchema${change.path}` })
    const text = tool.summary ?? tool.description
    const description = text === undefined ? undefined : cut(text, profile.maxDescription)
    if (description !== text)
      changes.push({
        path: `${path}/${tool.summary === undefined ? 'description' : 'summary'}`,
        code: 'description-cut',
        message: 'longer than this provider accepts: its end was removed',
        expected: `at most ${profile.maxDescription} characters`,
        got: `${text?.length} characters`,
      })
    return {
      name,
      ...(description !== undefined && { description }),
      inputSchema: repaired.schema,
    }
  })
  return { tools: provided, names: createToolNames(map, parameters), changes }
}

/** Repaired schemas, by rule. A conversation sends the same tools many times, and a schema is never changed in place. */
const repairedBefore = {
  asTheyAre: new WeakMap<PropertyRule, WeakMap<JsonObject, RepairedSchema>>(),
  withItems: new WeakMap<PropertyRule, WeakMap<JsonObject, RepairedSchema>>(),
}

/** Paths of changes are in the schema. */
function repairFor({ parameters, needsItems }: ModelProfile, original: JsonSchema): RepairedSchema {
  if (!isJsonObject(original)) return repairSchema(original, parameters)
  const byRule = needsItems ? repairedBefore.withItems : repairedBefore.asTheyAre
  const known = byRule.get(parameters) ?? new WeakMap<JsonObject, RepairedSchema>()
  byRule.set(parameters, known)
  const before = known.get(original)
  if (before) return before
  const { schema: correct, corrections } = correctSchema(original)
  const optional = makeDefaultsOptional(correct)
  const { schema, changes } = needsItems ? addItems(optional) : { schema: optional, changes: [] }
  const repaired = repairSchema(schema, parameters)
  const corrected = corrections.map((correction): RequestChange => ({
    ...correction,
    code: 'schema-corrected',
  }))
  const whole = { ...repaired, changes: [...corrected, ...changes, ...repaired.changes] }
  known.set(original, whole)
  return whole
}

/** Earlier calls may name tools that no longer exist or never existed. */
function namesIn(
  tools: readonly ToolDefinition[],
  messages: readonly ModelMessage[],
): readonly string[] {
  const called = messages.flatMap((message) =>
    message.role === 'assistant' ? message.calls.map(({ name }) => name) : [],
  )
  return [...tools.map(({ name }) => name), ...called]
}

function cut(text: string, limit = Infinity): string {
  const whole = text.toWellFormed()
  return whole.length <= limit ? whole : shortenText(whole, limit - 1)
}

/** A schema that a provider accepts, and its changes. */
interface RepairedSchema {
  schema: JsonObject
  /** Present if properties were renamed. */
  parameters?: ParameterNames
  changes: readonly RequestChange[]
}

/** Maximum characters of JSON in a description, beside the branches. */
const MAX_DESCRIBED_JSON = 2000

/**
 * Repairs a tool's schema for providers: an object at the root without composition, and valid property names. The `description` says what each
 * branch of the root needs.
 */
function repairSchema(original: JsonSchema, rule: PropertyRule): RepairedSchema {
  const changes: RequestChange[] = []
  const object = isJsonObject(original) ? original : {}
  const { schema: flat, moved } = flattenRoot(object)
  if (Object.hasOwn(object, '$ref'))
    changes.push({
      path: '',
      code: 'root-replaced',
      message: 'the root was a reference: its target was copied to the root',
    })
  if (getOwnField(flat, 'type') !== 'object')
    changes.push({
      path: '',
      code: 'root-replaced',
      message: 'the root of the schema is an object for this provider',
      expected: 'object',
    })
  if (moved)
    changes.push({
      path: '',
      code: 'root-composition-moved',
      message: `${moved.keywords.join(', ')} at the root: the properties of all branches were joined, and the description says what each branch needs`,
    })
  const properties = getOwnField(flat, 'properties')
  const named: JsonObject = isJsonObject(properties) ? properties : {}
  const renamed = nameProperties({ ...flat, type: 'object', properties: named }, rule)
  const { schema, parameters } = renamed
  return {
    schema: moved ? withWords(schema, getWords(moved, renamed.toName)) : schema,
    ...(parameters && { parameters }),
    changes: [...changes, ...renamed.changes],
  }
}

/** Returns the part of the root's meaning that only the description can express. */
function getWords(
  { root, reader }: NonNullable<FlatRoot['moved']>,
  toName: (name: string) => string,
): readonly string[] {
  const [own, ...members] = reader.readConjuncts(root)
  // Other keywords of the root stay in the schema.
  const refused = Object.entries(own ?? {}).filter(([keyword]) => UNTOLD.has(keyword))
  const others = [Object.fromEntries(refused), ...members]
    .map(findConstraints)
    .filter((each) => each !== undefined)
  const isLong = others.join('').length > MAX_DESCRIBED_JSON
  return [
    ...describeBranches(root, { reader, toName }),
    ...(isLong
      ? [TOO_LONG]
      : others.map((each) => `The arguments must also match this JSON Schema: ${each}`)),
  ]
}

const UNTOLD: ReadonlySet<string> = new Set(['not', 'enum', 'const'])
const TOO_LONG = 'Not all combinations of arguments are accepted.'

/** The text follows the schema's own description. */
function withWords(schema: JsonObject, lines: readonly string[]): JsonObject {
  if (lines.length === 0) return schema
  const { type, description, ...rest } = schema
  const own = typeof description === 'string' ? [description] : []
  return { type, description: [...own, ...lines].join('\n'), ...rest }
}

/** Adds `items: {}` to each array without `items`. Some providers refuse a request without it. */
function addItems(schema: JsonObject): {
  schema: JsonObject
  changes: readonly RequestChange[]
} {
  const changes: RequestChange[] = []
  mapSchema(schema, (part, path) => {
    if (lacksItems(part))
      changes.push({
        path,
        code: 'items-added',
        message: 'this provider refuses an array without "items": the schema now accepts any items',
        expected: 'items',
      })
    return part
  })
  if (changes.length === 0) return { schema, changes }
  return {
    schema: mapSchema(schema, (part) => (lacksItems(part) ? { ...part, items: {} } : part)),
    changes,
  }
}

function lacksItems(schema: JsonObject): boolean {
  const type = getOwnField(schema, 'type')
  const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
  return isArray && !Object.hasOwn(schema, 'items')
}
