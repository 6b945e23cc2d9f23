import type { Command } from 'commander'
import type { CallOptions } from './call-tool.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import {
  type ExitCode,
  argumentsOption,
  collect,
  configOption,
  outputOption,
  readCount,
  refuseRenamed,
  trustOption,
} from '../options/command-options.ts'

/** Adds the command `toolblocks call`. */
export function addCall(program: Command, context: CommandContext, end: ExitCode): void {
  const call = program
    .command('call')
    .description('call one tool, or any program, and show its answer')
    .argument('<name>', 'the tool, or ./FILE: a program that needs no configuration')
    // `call` reports an unexpected word itself and explains how arguments are written.
    .allowExcessArguments()
    .option('--arg <key=value>', 'one argument; repeat it for more, or for a list', collect)
    .addOption(argumentsOption())
    .option(
      '--answer <id=value>',
      'the answer to a question of the tool; repeat it for more',
      collect,
    )
    .option(
      '--action <action>',
      'for a tool that stays alive: apply=TEXT, fetch or abort; repeat it, they are done in order',
      collect,
    )
    .option('--no-input', 'ask nothing; a question without --answer ends the call')
    .option('--model-view', 'show the answer as a model receives it')
    .option(
      '--lines <count>',
      'lines of one block that are shown, or "all" (default: 40 on a terminal, else all)',
      readCount,
    )
    .option('--verbose', 'show what a tool that succeeds printed on standard error, too')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (name: string, given: CallOptions, { args }: Command) => {
      const { callTool } = await import('./call-tool.ts')
      end(await callTool(context, [name, ...args.slice(1)], given))
    })
  refuseRenamed(call, '--json <object>', '--arguments')
}
