import type { ToolEntry } from '@toolblocks/tool-executor'
import type {
  Configuration,
  ConfigurationProblem,
  PlacedMessage,
  ToolConfiguration,
} from '../configuration/configuration.ts'
import { createEntry, placeToolProblem } from './create-entry.ts'
import {
  type DefinedTool,
  defineFromConfiguration,
  defineFromDescription,
  needsDescription,
} from './define-tool.ts'
import type { Asked, Describe } from './descriptions/describe.ts'

/** A tool that can be called. */
export interface ResolvedTool {
  entry: ToolEntry
  origins: DefinedTool['origins']
}

/** The tools of a configuration. */
export interface ResolvedTools {
  tools: readonly ResolvedTool[]
  /** Tools that can't be called, and why; the others go on working. */
  left: readonly (ConfigurationProblem & { tool: string })[]
  /** Words of the configuration that did not fit what a tool says. */
  warnings: readonly ConfigurationProblem[]
  /** What is wrong with the configuration itself; then there are no tools. */
  problems: readonly ConfigurationProblem[]
}

/** Makes the tools of a configuration; those without parameters are described, each program once, side by side. */
export async function resolveTools(
  { tools, locate }: Configuration,
  { describe, only }: { describe: Describe; only?: readonly string[] },
): Promise<ResolvedTools> {
  const wanted = Object.entries(tools).filter(([name]) => only?.includes(name) ?? true)
  const describeOnce = once(describe)
  const resolved = await Promise.all(
    wanted.map(([name, tool]) => resolveTool(name, tool, describeOnce)),
  )
  const problems = resolved.flatMap((each) => each.problems ?? []).map(locate)
  return {
    tools: problems.length > 0 ? [] : resolved.flatMap(({ tool }) => (tool ? [tool] : [])),
    left: resolved.flatMap(({ name, left }) => (left ? [{ ...locate(left), tool: name }] : [])),
    warnings: resolved.flatMap((each) => each.warnings ?? []).map(locate),
    problems,
  }
}

interface Resolved {
  name: string
  tool?: ResolvedTool
  left?: PlacedMessage
  warnings?: readonly PlacedMessage[]
  problems?: readonly PlacedMessage[]
}

async function resolveTool(
  name: string,
  tool: ToolConfiguration,
  describe: Describe,
): Promise<Resolved> {
  if (!needsDescription(tool)) return create(name, tool, defineFromConfiguration(name, tool))
  const described = await describe({ command: tool.command, env: tool.env ?? [] })
  const read = defineFromDescription(name, tool, described)
  if (!read.ok) return { name, left: { path: ['tools', name], message: read.message } }
  const warnings = read.problems.map((problem) => placeToolProblem(name, problem))
  return { ...create(name, tool, read.defined), warnings }
}

function create(name: string, tool: ToolConfiguration, defined: DefinedTool): Resolved {
  const created = createEntry(name, tool, defined)
  if (!created.ok) return { name, problems: created.problems }
  return { name, tool: { entry: created.entry, origins: defined.origins } }
}

/** Asks each program once, however many of its tools are wanted. */
function once(describe: Describe): Describe {
  const known = new Map<string, ReturnType<Describe>>()
  return (asked: Asked) => {
    const key = JSON.stringify(asked)
    const running = known.get(key) ?? describe(asked)
    known.set(key, running)
    return running
  }
}
