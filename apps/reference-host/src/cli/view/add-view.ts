import { type Command, Option } from 'commander'
import { FORMAT_NAMES } from '@toolblocks/conversation-store/import/format-names'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { ViewOptions } from './view-conversations.ts'
import {
  type ExitCode,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'

/** Adds the command `toolblocks view`. */
export function addView(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('view')
    .description('read conversations and sessions of agents in your browser')
    .argument(
      '[id]',
      'a conversation (its id, the beginning of its id, or latest), or a file or folder that "import" can read (default: a list of all)',
    )
    .option('--no-open', 'print the address, and open no browser')
    .addOption(
      new Option('--from <format>', 'the format of the file (default: detected)').choices(
        FORMAT_NAMES,
      ),
    )
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (id: string | undefined, given: ViewOptions) => {
      const { viewConversations } = await import('./view-conversations.ts')
      end(await viewConversations(context, id, given))
    })
}
