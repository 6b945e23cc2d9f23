import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  quoteBriefly,
  shortenText,
  type ToolDefinition,
} from '@toolblocks/protocol'
import type { ModelMessage } from '../conversation/model-request.ts'
import type { ModelProfile } from '../model-parts/model-profile.ts'
import { addItems } from './add-items.ts'
import { createNameMap } from './name-map.ts'
import type { ParameterNames, PropertyRule } from './name-properties.ts'
import { type RepairedSchema, repairSchema } from './repair-schema.ts'
import type { RequestChange } from '../turns/request-change.ts'
import { createToolNames, type ToolNames } from './tool-names.ts'

/** A tool as a provider takes it. */
export interface ProviderTool {
  name: string
  /** The definition's `summary`, else its `description`. */
  description?: string
  inputSchema: JsonObject
}

/** Names tools so that a provider takes them, and repairs their schemas. */
export function toProviderTools(
  tools: readonly ToolDefinition[],
  messages: readonly ModelMessage[],
  profile: ModelProfile,
): { tools: readonly ProviderTool[]; names: ToolNames; changes: readonly RequestChange[] } {
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
    const words = tool.summary ?? tool.description
    const description = words === undefined ? undefined : cut(words, profile.maxDescription)
    if (description !== words)
      changes.push({
        path: `${path}/${tool.summary === undefined ? 'description' : 'summary'}`,
        code: 'description-cut',
        message: 'longer than this provider takes: its end was left out',
        expected: `at most ${profile.maxDescription} characters`,
        got: `${words?.length} characters`,
      })
    return {
      name,
      ...(description !== undefined && { description }),
      inputSchema: repaired.schema,
    }
  })
  return { tools: provided, names: createToolNames(map, parameters), changes }
}

/** What a schema became for each rule. A conversation asks with the same tools many times, and a schema is never changed in place. */
const repairedBefore = {
  asTheyAre: new WeakMap<PropertyRule, WeakMap<JsonObject, RepairedSchema>>(),
  withItems: new WeakMap<PropertyRule, WeakMap<JsonObject, RepairedSchema>>(),
}

/** Paths of changes are in the schema. */
function repairFor({ parameters, needsItems }: ModelProfile, given: JsonSchema): RepairedSchema {
  if (!isJsonObject(given)) return repairSchema(given, parameters)
  const byRule = needsItems ? repairedBefore.withItems : repairedBefore.asTheyAre
  const known = byRule.get(parameters) ?? new WeakMap<JsonObject, RepairedSchema>()
  byRule.set(parameters, known)
  const before = known.get(given)
  if (before) return before
  const { schema, changes } = needsItems ? addItems(given) : { schema: given, changes: [] }
  const repaired = repairSchema(schema, parameters)
  const whole = { ...repaired, changes: [...changes, ...repaired.changes] }
  known.set(given, whole)
  return whole
}

/** Names of tools that are gone, or that a model made up, are still in its calls. */
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
