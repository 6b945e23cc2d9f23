import type { Command } from 'commander'
import {
  type ExitCode,
  collect,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { StoreRuleOptions } from './store-rule.ts'

const EFFECTS = [
  ['allow', 'let calls run without asking, until their tool changes'],
  ['ask', 'ask about calls, also if they would run otherwise'],
  ['deny', 'let calls never run'],
] as const

/** Adds the commands `toolblocks approvals …`. */
export function addApprovals(program: Command, context: CommandContext, end: ExitCode): void {
  const approvals = program
    .command('approvals')
    .enablePositionalOptions()
    .description('list, test and change the rules about calls')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: SharedOptions) => {
      const { listApprovals } = await import('./approvals.ts')
      end(await listApprovals(context, options))
    })
  approvals
    .command('list')
    .description('list the rules (the default)')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: SharedOptions) => {
      const { listApprovals } = await import('./approvals.ts')
      end(await listApprovals(context, options))
    })
  for (const [effect, description] of EFFECTS)
    approvals
      .command(effect)
      .description(description)
      .argument(
        '<rule>',
        'such as fs_read, "fs_read(path in docs)", "git(command^=git log)" or "github__*"',
      )
      .option(
        '--server <address>',
        'a rule for "serve --server": the address or command line, as it is typed there; repeat it for more',
        collect,
      )
      .option('--header <text>', 'with --server: as "serve" has it', collect)
      .option('--env <name>', 'with --server: as "serve" has it', collect)
      .addOption(trustOption())
      .addOption(configOption())
      .action(async (rule: string, options: StoreRuleOptions) => {
        const { storeRule } = await import('./store-rule.ts')
        end(await storeRule(context, [effect, rule], options))
      })
  approvals
    .command('test')
    .description('say which rule decides about a call')
    .argument('<call>', 'such as "git(command=git push)"')
    .option(
      '--server <address>',
      'a call of "serve --server": the address or command line, as it is typed there; repeat it for more',
      collect,
    )
    .option('--header <text>', 'with --server: as "serve" has it', collect)
    .option('--env <name>', 'with --server: as "serve" has it', collect)
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (call: string, options: StoreRuleOptions) => {
      const { testCall } = await import('./approvals.ts')
      end(await testCall(context, call, options))
    })
  approvals
    .command('revoke')
    .description('remove stored rules')
    .argument('<ids...>', 'the id at the beginning of a line of the list')
    .action(async (ids: readonly string[]) => {
      const { revokeApprovals } = await import('./approvals.ts')
      end(await revokeApprovals(context, ids))
    })
}
