import { Argument, type Command } from 'commander'
import {
  addRuleOptions,
  type ExitCode,
  collect,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'
import { withTelemetry } from '../../process/telemetry/with-telemetry.ts'
import type { ChatOptions } from './chat.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { RunPromptOptions } from './run-prompt.ts'

/** Adds the commands `toolblocks chat` and `toolblocks run`. */
export function addAgent(program: Command, context: CommandContext, end: ExitCode): void {
  addShared(program.command('chat').description('talk with a model that can use the tools')).action(
    async (options: ChatOptions) => {
      const { chat } = await import('./chat.ts')
      end(await withTelemetry(context, {}, (traced) => chat(traced, options)))
    },
  )
  addShared(
    program
      .command('run')
      .description('send one prompt to a model that can use the tools')
      .addArgument(
        new Argument(
          '[prompt]',
          'the prompt; - reads it from standard input; with --resume and without a prompt, the last turn continues',
        ),
      )
      .option('--attach <file>', 'a file to attach; repeat it for more', collect)
      .option('--model-view', 'also show each result as the model receives it')
      .option('--no-input', 'ask no questions; calls that need approval are denied')
      .option('--park', 'ask nobody here: questions wait in the store, and the exit code is 6')
      .option('--wait', 'ask nobody here, and wait until questions are answered elsewhere')
      .addOption(outputOption(['text', 'jsonl']))
      // A prompt without quotes gets an error message of its own.
      .allowExcessArguments(),
  ).action(async (_prompt: string | undefined, options: RunPromptOptions, { args }: Command) => {
    const { runPrompt } = await import('./run-prompt.ts')
    end(await withTelemetry(context, {}, (traced) => runPrompt(traced, args, options)))
  })
}

function addShared(command: Command): Command {
  return addRuleOptions(
    command.option('--resume [id]', 'resume a conversation: the one with this id, or the latest'),
  )
    .addOption(trustOption())
    .addOption(configOption())
}
