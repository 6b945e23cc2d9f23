import type { Command } from 'commander'
import {
  type ExitCode,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'

/** Adds the commands `toolblocks approvals …`. */
export function addApprovals(program: Command, context: CommandContext, end: ExitCode): void {
  const approvals = program
    .command('approvals')
    .description('list and change the calls that run without asking')
    .addOption(outputOption())
    .action(async (options: SharedOptions) => {
      const { listApprovals } = await import('./approvals.ts')
      end(listApprovals(context, options))
    })
  approvals
    .command('allow')
    .description('let calls run without asking, until their tool changes')
    .argument('<rule>', 'such as fs_read, "fs_read(path in docs)" or "git(command^=git log)"')
    .addOption(trustOption())
    .addOption(configOption())
    .action(async (rule: string, options: SharedOptions) => {
      const { allowCalls } = await import('./approvals.ts')
      end(await allowCalls(context, rule, options))
    })
  approvals
    .command('revoke')
    .description('ask about these calls again')
    .argument('<ids...>', 'the id at the beginning of a line of the list')
    .action(async (ids: readonly string[]) => {
      const { revokeApprovals } = await import('./approvals.ts')
      end(await revokeApprovals(context, ids))
    })
}
