import { resolve } from 'node:path'
import type { CommandContext } from '../../terminal/command-context.ts'
import { refuse } from '../../terminal/refuse.ts'
import { findConfiguration } from '../../workspace/files/find-configuration.ts'
import type { HostName } from '../hosts/mcp-hosts.ts'
import { uninstallEntry } from '../hosts/uninstall-entry.ts'
import { makeHostEntry } from './host-entry.ts'
import { toAbsoluteServer } from '../../workspace/servers/server-address.ts'
import { findMisplaced, type ServeCommandOptions } from './serve-options.ts'

/** `toolblocks serve … --uninstall HOST`: removes the entries that `--install` writes for the same words. Nothing is started. */
export async function uninstallServed(
  context: CommandContext,
  programs: readonly string[],
  host: HostName,
  options: ServeCommandOptions,
): Promise<number> {
  const { folder, terminal } = context
  const { name, config, server = [], install, http, yes } = options
  const misplaced =
    install !== undefined || http !== undefined
      ? '--uninstall cannot be combined with --install or --http'
      : findMisplaced(programs, options)
  if (misplaced !== undefined) return refuse(terminal, [misplaced])
  const entry = makeHostEntry(
    name ?? '',
    {
      programs,
      serverArgs: server.flatMap((text) => ['--server', toAbsoluteServer(text, folder)]),
      configuration: config === undefined ? findConfiguration(folder) : resolve(folder, config),
      folder,
    },
    { execPath: process.execPath, program: process.argv[1] ?? '' },
  )
  const isNamed = name !== undefined
  return await uninstallEntry(context, {
    host,
    entry,
    programs,
    isNamed,
    ...(yes !== undefined && { yes }),
  })
}
