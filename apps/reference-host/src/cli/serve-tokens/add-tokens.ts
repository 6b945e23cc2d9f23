import { type Command, InvalidArgumentError } from 'commander'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { collect, configOption, type ExitCode, outputOption } from '../options/command-options.ts'
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
    .option('--expires <when>', 'such as 90d, 12h, or a date', readExpiry)
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

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads when a token expires: a time from now on, or a date. */
function readExpiry(value: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(value) ?? []
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(value)
  const time =
    count === undefined
      ? isDate
        ? Date.parse(value)
        : NaN
      : Date.now() + Number(count) * (UNITS[unit] ?? 0)
  if (time > Date.now()) return new Date(time)
  throw new InvalidArgumentError(
    'expected a time from now on, such as 90d or 12h, or a later date.',
  )
}
