import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  describeProblem,
  type Configuration,
  type ConfigurationProblem,
} from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { createDescribe } from '../tools/descriptions/describe.ts'
import { type ResolvedTool, resolveTools } from '../tools/resolve-tools.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'

/** A configuration with its tools. */
export interface OpenedTools {
  configuration: Configuration
  tools: readonly ResolvedTool[]
  entries: readonly ToolEntry[]
  /** Names of tools that are configured and cannot be called; why has been told. */
  left: readonly string[]
}

/**
 * Reads the configuration and makes its tools, or `only` some of them: those without parameters are described by their
 * programs. A tool that cannot be described is told and left out; undefined after other problems were told.
 */
export async function openTools(
  { terminal, folder, signal }: CommandContext,
  { config }: SharedOptions,
  { only }: { only?: readonly string[] } = {},
): Promise<OpenedTools | undefined> {
  const tell = (problem: ConfigurationProblem, kind: 'error' | 'warning'): void =>
    terminal.complain(kind, describeProblem(problem))
  const parsed = loadConfiguration(folder, config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) tell(problem, 'error')
    return undefined
  }
  const { configuration } = parsed
  for (const warning of parsed.warnings) tell(warning, 'warning')
  const describe = createDescribe({ root: configuration.root, signal })
  const resolved = await resolveTools(configuration, { describe, ...(only && { only }) })
  for (const warning of resolved.warnings) tell(warning, 'warning')
  for (const problem of [...resolved.problems, ...resolved.left]) tell(problem, 'error')
  if (resolved.problems.length > 0) return undefined
  const { tools, left } = resolved
  return {
    configuration,
    tools,
    entries: tools.map(({ entry }) => entry),
    left: left.map(({ tool }) => tool),
  }
}
