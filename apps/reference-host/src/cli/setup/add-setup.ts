import { type Command, Option } from 'commander'
import type { CommandContext, SharedOptions } from '../../terminal/command-context.ts'
import type { TrustOptions } from './trust-folder.ts'
import type { NewToolOptions } from './new-tool.ts'
import { LANGUAGES } from './new-tool/languages.ts'
import {
  type ExitCode,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'

/** Adds the commands `toolblocks init` and `toolblocks new`. */
export function addInit(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('init')
    .description('write a toolblocks.toml and a first tool into this folder')
    .action(async () => {
      const { initializeWorkspace } = await import('./initialize-workspace.ts')
      end(await initializeWorkspace(context))
    })
  const begin = program
    .command('new')
    .description('write a new tool that works, with its test')
    .argument('<name>', 'the name by which a model calls it')
    .allowExcessArguments()
    .addOption(
      new Option(
        '--language <language>',
        'the language of the tool (default: ts if Node can run it, else python)',
      ).choices(LANGUAGES),
    )
    .addOption(configOption())
    .action(async (name: string, options: NewToolOptions, { args }: Command) => {
      const [, second] = args
      if (second !== undefined)
        begin.error(
          `error: expected one name, got ${JSON.stringify(args.join(' '))}; write: toolblocks new ${name === 'tool' ? second : name}`,
        )
      const { writeNewTool } = await import('./new-tool.ts')
      end(await writeNewTool(context, name, options))
    })
}

/** Adds the command `toolblocks doctor`. */
export function addDoctor(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('doctor')
    .description('find problems in this folder and machine, and name their fixes')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: SharedOptions) => {
      const { runDoctor } = await import('./doctor/doctor.ts')
      end(await runDoctor(context, options))
    })
}

/** Adds the command `toolblocks trust`. */
export function addTrust(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('trust')
    .description('show what this folder wants to do, and agree to it')
    .option('--revoke', 'remove your agreement')
    // People type these. The error says what to use.
    .addOption(new Option('--yes').hideHelp())
    .addOption(new Option('--trust').hideHelp())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: TrustOptions) => {
      const { trustFolder } = await import('./trust-folder.ts')
      end(await trustFolder(context, options))
    })
}

/** Adds the commands `toolblocks config …`. */
export function addConfig(program: Command, context: CommandContext, end: ExitCode): void {
  const config = program
    .command('config')
    .description('show the settings that apply, and where each is written')
  config
    .command('show')
    .description('show every setting that applies here, with its file and line')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (options: SharedOptions) => {
      const { showConfiguration } = await import('./show-configuration.ts')
      end(await showConfiguration(context, options))
    })
  config
    .command('schema')
    .description('print the JSON Schema of toolblocks.toml, for editors')
    .action(async () => {
      const { printConfigurationSchema } = await import('./show-configuration.ts')
      end(printConfigurationSchema(context))
    })
}
