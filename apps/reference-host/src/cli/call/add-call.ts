import type { Command } from 'commander'
import type { CallOptions } from './call-tool.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import { withTelemetry } from '../../process/telemetry/with-telemetry.ts'
import {
  addRuleOptions,
  type ExitCode,
  argumentsOption,
  collect,
  configOption,
  outputOption,
  readCount,
  trustOption,
} from '../options/command-options.ts'
import { layOutHelp } from '../options/fit-help.ts'

const CALL_HELP = `
Typing the name of a tool agrees, for this call, to starting it and its server,
unless the folder gives them variables of yours. "toolblocks trust" shows and
asks about everything else that a folder wants to do.
`

/** Adds the command `toolblocks call`. */
export function addCall(program: Command, context: CommandContext, end: ExitCode): void {
  addRuleOptions(
    program
      .command('call')
      .description('call a tool or a program, and show its result')
      .argument('<name>', 'the name of a tool, or ./FILE for a program without configuration')
      // `call` reports an unexpected word itself and explains how arguments are written.
      .allowExcessArguments()
      .option(
        '--arg <key=value>',
        'one argument; repeat it for more arguments, or for a list',
        collect,
      )
      .addOption(argumentsOption())
      .option(
        '--answer <id=value>',
        'the answer to a question of the tool; repeat it for more answers',
        collect,
      )
      .option(
        '--action <action>',
        'for a stateful tool: apply=TEXT, fetch or abort; repeat it, actions run in order',
        collect,
      ),
  )
    .option('--no-input', 'ask no questions; a question without --answer ends the call')
    .option('--model-view', 'show the result as a model receives it')
    .option(
      '--lines <count>',
      'maximum lines of one block, or "all" (default: 40 on a terminal, else all)',
      readCount,
    )
    .option('--verbose', 'also show what a successful tool printed on standard error')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .addHelpText('after', layOutHelp(context.terminal.columns).fit(CALL_HELP))
    .action(async (name: string, options: CallOptions, { args }: Command) => {
      const { callTool } = await import('./call-tool.ts')
      end(
        await withTelemetry(context, {}, (traced) =>
          callTool(traced, [name, ...args.slice(1)], options),
        ),
      )
    })
}
