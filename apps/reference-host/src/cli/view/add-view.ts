import { type Command, Option } from 'commander'
import { FORMAT_NAMES } from '@toolblocks/conversation-store/internal/format-names'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { ViewConversationsOptions } from './view-conversations.ts'
import {
  type ExitCode,
  configOption,
  outputOption,
  readPort,
  trustOption,
} from '../options/command-options.ts'

/** Adds the command `toolblocks view`. */
export function addView(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('view')
    .description('read conversations in your browser, and answer questions')
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
    .option('--answer', 'let the pages answer questions and approvals that wait')
    .addOption(
      new Option(
        '--origin <url>',
        'the https address of your own proxy, for other devices, such as https://answers.example (needs --port)',
      ),
    )
    .addOption(new Option('--port <number>', 'the port (default: a free one)').argParser(readPort))
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (id: string | undefined, options: ViewConversationsOptions) => {
      const { viewConversations } = await import('./view-conversations.ts')
      end(await viewConversations(context, id, options))
    })
}
