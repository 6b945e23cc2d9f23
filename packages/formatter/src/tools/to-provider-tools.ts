import type { JsonObject, ToolDefinition } from '@toolblocks/protocol'
import { quoteBriefly, shortenText } from '@toolblocks/protocol'
import type { ModelMessage } from '../conversation/model-request.ts'
import type { ModelProfile } from '../model-parts/model-profile.ts'
import { createNameMap } from './name-map.ts'
import type { ParameterNames } from './name-properties.ts'
import { repairSchema } from './repair-schema.ts'
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
    const repaired = repairSchema(tool.inputSchema, profile.parameters, `${path}/inputSchema`)
    if (repaired.parameters) parameters.set(tool.name, repaired.parameters)
    changes.push(...repaired.changes)
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
