import type { Configuration } from '../../workspace/configuration/configuration.ts'
import type { WrittenServer } from '../../workspace/servers/written-servers.ts'
import { openWorkspace } from '../../workspace/open-workspace.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'

/** The servers of a workspace, or the exit code if they cannot be read. The error was already reported. */
export type LoadedServers =
  | {
      ok: true
      configuration: Configuration
      /** The servers that may be started or connected. */
      servers: readonly WrittenServer[]
      /** The servers without agreement. */
      waiting: readonly WrittenServer[]
    }
  | { ok: false; code: number }

/** Reads which servers are configured, and which of them may be used. */
export async function loadServers(
  context: CommandContext,
  options: SharedOptions,
): Promise<LoadedServers> {
  const opened = await openWorkspace(context, options)
  if (!opened.ok) return opened
  const { configuration, servers, written, isAgreed } = opened.workspace
  const waiting = written.servers.filter(({ name }) => !isAgreed(`server ${name}`))
  return { ok: true, configuration, servers, waiting }
}
