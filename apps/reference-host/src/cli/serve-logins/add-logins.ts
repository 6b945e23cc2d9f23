import type { Command } from 'commander'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import { configOption, type ExitCode, outputOption } from '../options/command-options.ts'

/** Adds the commands `toolblocks serve logins …`. */
export function addLogins(serve: Command, context: CommandContext, end: ExitCode): void {
  const logins = serve
    .command('logins')
    .description('list and remove the logins of people at servers with login = "each"')
    .addOption(outputOption())
    .addOption(configOption())
    .action(async (options: SharedOptions) => {
      const { listLogins } = await import('./serve-logins.ts')
      end(await listLogins(context, options))
    })
  logins
    .command('list')
    .description('list who has a login at which server, and since when; never tokens')
    .addOption(outputOption())
    .addOption(configOption())
    .action(async (options: SharedOptions) => {
      const { listLogins } = await import('./serve-logins.ts')
      end(await listLogins(context, options))
    })
  logins
    .command('remove')
    .description('remove logins; services use them no more from the next request on')
    .argument('<ids...>', 'the id at the beginning of a line of the list')
    .addOption(configOption())
    .action(async (ids: readonly string[], options: SharedOptions) => {
      const { removeLogins } = await import('./serve-logins.ts')
      end(await removeLogins(context, ids, options))
    })
}
