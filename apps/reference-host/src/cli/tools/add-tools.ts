import type { Command } from 'commander'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { AcceptOptions } from './accept-tools.ts'
import type { OpenOptions } from '../../workspace/open-tools.ts'
import {
  type ExitCode,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'

/** Adds the commands `toolblocks tools …`. */
export function addTools(program: Command, context: CommandContext, end: ExitCode): void {
  const tools = program
    .command('tools')
    .enablePositionalOptions()
    .description('list the tools of the workspace, and what has changed in them')
    .argument('[name]', 'one tool: with the source of each part of its definition')
    .option('--refresh', 'ask every program for its description, also if it is already known')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string | undefined, options: OpenOptions) => {
      const { listTools } = await import('./list-tools.ts')
      end(await listTools(context, name, options))
    })
  tools
    .command('accept')
    .description(
      'show how the descriptions of tools have changed, and record them in toolblocks.lock.json',
    )
    .argument('[names...]', 'the tools')
    .option('--all', 'every tool of the workspace')
    .addOption(trustOption())
    .addOption(configOption())
    .action(async (names: readonly string[], options: AcceptOptions) => {
      const { acceptTools } = await import('./accept-tools.ts')
      end(await acceptTools(context, names, options))
    })
}
