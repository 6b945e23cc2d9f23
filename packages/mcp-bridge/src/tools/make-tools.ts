import {
  appendPointer,
  mergeToolOverrides,
  type Problem,
  type Tool,
  type ToolContext,
  type ToolCall,
  type ToolDefinition,
  type ToolOverrides,
  type ToolResult,
} from '@toolblocks/protocol'
import type { BridgeProblem } from '../bridge-problem.ts'
import { nameTools } from './name-tools.ts'

/** Calls a tool by the server's definition. */
export type CallDefinition = (
  definition: ToolDefinition,
  use: { call: ToolCall; context: ToolContext },
) => Promise<ToolResult>

/** A server's tools for a host. */
export interface MadeTools {
  tools: readonly Tool[]
  /** The server's own names, by the names of `tools`. */
  names: ReadonlyMap<string, string>
  /** Paths are relative to `tools` of the configuration. */
  problems: readonly (BridgeProblem | Problem)[]
}

/** Makes tools of definitions: under names for a model, with the user's words. */
export function makeTools(
  definitions: readonly ToolDefinition[],
  {
    server,
    overrides,
    call,
  }: { server: string; overrides: Readonly<Record<string, ToolOverrides>>; call: CallDefinition },
): MadeTools {
  const names = nameTools(
    server,
    definitions.map(({ name }) => name),
  )
  const problems: (BridgeProblem | Problem)[] = []
  const tools = definitions.map((definition): Tool => {
    const own = Object.hasOwn(overrides, definition.name) ? overrides[definition.name] : undefined
    const merged = mergeToolOverrides(definition, own ?? {})
    const at = appendPointer('', definition.name)
    for (const problem of merged.problems)
      problems.push({ ...problem, path: `${at}${problem.path}` })
    return {
      ...merged.definition,
      name: names.get(definition.name) ?? definition.name,
      execute: async (given, context) => await call(definition, { call: given, context }),
    }
  })
  for (const unused of Object.keys(overrides).filter((name) => !names.has(name)))
    problems.push({
      path: appendPointer('', unused),
      message: `The server "${server}" has no tool ${JSON.stringify(unused)}; what is said about it is not used.`,
      code: 'unused-override',
    })
  return { tools, names: new Map([...names].map(([own, name]) => [name, own])), problems }
}
