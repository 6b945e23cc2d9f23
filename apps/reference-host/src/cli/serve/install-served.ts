import type { ToolEntry } from '@toolblocks/tool-executor'
import { EXIT } from '../../process/exit-codes.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { CallRules } from '../../workspace/consent/create-approver.ts'
import { toAbsoluteServer } from '../../workspace/servers/server-address.ts'
import { findPresentStart, type InstalledEntry, installEntry } from '../hosts/install-entry.ts'
import { describeAskingTools } from './describe-asking-tools.ts'
import type { ServeCommandOptions } from './serve-options.ts'

/** `toolblocks serve … --install HOST`: writes the entry. `tools` and `rules`: those of a folder, of which the ones that ask are named. */
export async function installServed(
  context: CommandContext,
  {
    tools,
    rules,
    ...installed
  }: InstalledEntry & { tools?: readonly ToolEntry[]; rules?: CallRules },
): Promise<number> {
  const code = await installEntry(context, installed)
  const asking = code === EXIT.ok && tools && rules && describeAskingTools(tools, rules)
  if (asking) context.terminal.print(context.terminal.sanitize(asking))
  return code
}

/** Returns the options with which a server starts as an entry of the host starts it now, with the variables and headers of this entry. */
export function usePresentStart(
  context: Pick<CommandContext, 'folder'>,
  options: ServeCommandOptions,
): ServeCommandOptions {
  const { install: host, server: [address, ...others] = [], env = [], header = [] } = options
  if (host === undefined || address === undefined || others.length > 0) return options
  const start = findPresentStart(context, host, toAbsoluteServer(address, context.folder))
  if (!start) return options
  for (const [name, value] of Object.entries(start.variables))
    process.env[name] = value.replaceAll(
      /\$\{(\w+)\}/g,
      (whole, own: string) => process.env[own] ?? whole,
    )
  // What was typed comes last, and counts.
  return {
    ...options,
    env: [...start.options.env, ...env],
    header: [...start.options.header, ...header],
  }
}
