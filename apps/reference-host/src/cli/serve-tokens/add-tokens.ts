import type { Command } from 'commander'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import {
  collect,
  configOption,
  type ExitCode,
  outputOption,
  readLaterTime,
} from '../options/command-options.ts'
import type { AddTokenOptions } from './serve-tokens.ts'

/** Adds the commands `toolblocks serve tokens …`. */
export function addTokens(serve: Command, context: CommandContext, end: ExitCode): void {
  const tokens = serve
    .command('tokens')
    .description('add, list and revoke tokens of clients of "serve --http"')
    .addOption(outputOption())
    .addOption(configOption())
    .action(async (options: SharedOptions) => {
      const { listTokens } = await import('./serve-tokens.ts')
      end(await listTokens(context, options))
    })
  tokens
    .command('add')
    .description('create a token of a client, which is printed once')
    .argument('<name>', 'the name of the client, as in [serve.clients]')
    .option('--expires <when>', 'such as 90d, 12h, or a date', readLaterTime)
    .option(
      '--server <address>',
      'for "serve --server": the address or command line, as it is typed there; repeat it for more',
      collect,
    )
    .option('--header <text>', 'with --server: as "serve" has it', collect)
    .option('--env <name>', 'with --server: as "serve" has it', collect)
    .addOption(configOption())
    .action(async (name: string, options: AddTokenOptions) => {
      const { addToken } = await import('./serve-tokens.ts')
      end(await addToken(context, name, options))
    })
  tokens
    .command('list')
    .description('list the tokens of all clients, without the tokens themselves')
    .addOption(outputOption())
    .addOption(configOption())
    .action(async (options: SharedOptions) => {
      const { listTokens } = await import('./serve-tokens.ts')
      end(await listTokens(context, options))
    })
  tokens
    .command('revoke')
    .description('remove tokens; services refuse them at once')
    .argument('<ids...>', 'the id at the beginning of a line of the list')
    .addOption(configOption())
    .action(async (ids: readonly string[], options: SharedOptions) => {
      const { revokeTokens } = await import('./serve-tokens.ts')
      end(await revokeTokens(context, ids, options))
    })
}
