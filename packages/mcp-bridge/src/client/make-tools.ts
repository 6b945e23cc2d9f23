import {
  type Problem,
  type Tool,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
} from '@toolblocks/protocol'
import { mergeToolOverrides, appendPointer, fillDefaults } from '@toolblocks/protocol/internal'
import type { BridgeProblem } from './failures.ts'
import type { CallUse } from './call-tool.ts'
import { NEVER_MS } from './running-calls.ts'
import type { ServerConfig, ServerToolConfig } from './server-config.ts'
import { spawnCall } from './spawn-call.ts'
import { nameTools } from './name-tools.ts'

/** Calls a tool by the server's definition. */
export type CallDefinition = (definition: ToolDefinition, use: CallUse) => Promise<ToolResult>

/** A server's tools for a host. */
export interface MadeTools {
  tools: readonly Tool[]
  /** The server's own names, by the names of `tools`. */
  names: ReadonlyMap<string, string>
  /** Paths are relative to `tools` of the configuration. */
  problems: readonly (BridgeProblem | Problem)[]
}

/** Creates tools from definitions: with names for a model and the user's texts. */
export function makeTools(
  definitions: readonly ToolDefinition[],
  {
    server,
    settings,
    toolNames,
    call,
  }: {
    server: string
    settings: Readonly<Record<string, ServerToolConfig>>
    toolNames: NonNullable<ServerConfig['toolNames']>
    call: CallDefinition
  },
): MadeTools {
  const listed = definitions.map(({ name }) => name)
  const names =
    toolNames === 'own' ? new Map(listed.map((name) => [name, name])) : nameTools(server, listed)
  const problems: (BridgeProblem | Problem)[] = []
  const tools = definitions.map((definition): Tool => {
    const { timeoutMs, stateful, ...overrides } =
      (Object.hasOwn(settings, definition.name) ? settings[definition.name] : undefined) ?? {}
    const merged = mergeToolOverrides(definition, overrides)
    const path = appendPointer('', definition.name)
    for (const problem of merged.problems)
      problems.push({ ...problem, path: `${path}${problem.path}` })
    const complete = (toolCall: ToolCall): ToolCall =>
      merged.defaults === undefined
        ? toolCall
        : { ...toolCall, arguments: fillDefaults(toolCall.arguments, merged.defaults) }
    return {
      ...merged.definition,
      name: names.get(definition.name) ?? definition.name,
      execute: (toolCall, context) =>
        call(definition, {
          call: complete(toolCall),
          context,
          ...(timeoutMs !== undefined && { timeoutMs }),
        }),
      ...(stateful && {
        spawn: async (toolCall, context) =>
          spawnCall(
            async (live) =>
              await call(definition, {
                call: complete(toolCall),
                context: live,
                timeoutMs: timeoutMs ?? NEVER_MS,
                isLive: true,
              }),
            context,
          ),
      }),
    }
  })
  for (const unused of Object.keys(settings).filter((name) => !names.has(name)))
    problems.push({
      path: appendPointer('', unused),
      message: `The server "${server}" has no tool ${JSON.stringify(unused)}; its settings are not used.`,
      code: 'unused-override',
    })
  return { tools, names: new Map([...names].map(([own, name]) => [name, own])), problems }
}
