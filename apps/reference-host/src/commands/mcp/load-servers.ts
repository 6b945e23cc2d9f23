import { type Configuration, describeProblem } from '../../configuration/configuration.ts'
import { loadConfiguration } from '../../configuration/load-configuration.ts'
import { EXIT } from '../../exit-codes.ts'
import { readWrittenServers, type WrittenServer } from '../../mcp/written-servers.ts'
import type { CommandContext, SharedOptions } from '../command-context.ts'

/** The servers of a workspace, or the exit code that says why there are none; that has been told. */
export type LoadedServers =
  | { ok: true; configuration: Configuration; servers: readonly WrittenServer[] }
  | { ok: false; code: number }

/** Reads which servers are configured; none is started. */
export async function loadServers(
  { terminal, folder }: CommandContext,
  { config }: SharedOptions,
): Promise<LoadedServers> {
  const parsed = await loadConfiguration(folder, config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) terminal.complain('error', describeProblem(problem))
    return { ok: false, code: EXIT.usage }
  }
  const { configuration } = parsed
  const { servers, warnings } = readWrittenServers(configuration)
  for (const warning of [...parsed.warnings, ...warnings])
    terminal.complain('warning', describeProblem(warning))
  return { ok: true, configuration, servers }
}
