import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  describeProblem,
  type Configuration,
  type ConfigurationProblem,
} from '../configuration/configuration.ts'
import { createTools } from '../configuration/create-tools.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'

/** A configuration with its tools. */
export interface OpenedTools {
  configuration: Configuration
  entries: readonly ToolEntry[]
}

/** Reads the configuration and makes its tools; undefined after its problems were told. */
export function openTools(
  { terminal, folder }: CommandContext,
  { config }: SharedOptions,
): OpenedTools | undefined {
  const tell = (problem: ConfigurationProblem, kind: 'error' | 'warning'): void =>
    terminal.complain(kind, describeProblem(problem))
  const parsed = loadConfiguration(folder, config)
  const created = parsed.ok ? createTools(parsed.configuration) : parsed
  if (parsed.ok) for (const warning of parsed.warnings) tell(warning, 'warning')
  if (!parsed.ok || !created.ok) {
    if (!created.ok) for (const problem of created.problems) tell(problem, 'error')
    return undefined
  }
  return { configuration: parsed.configuration, entries: created.entries }
}
