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
    .description('write a tool of your own that works, with its test')
    .argument('<name>', 'what a model calls it')
    .allowExcessArguments()
    .addOption(
      new Option(
        '--language <language>',
        'what it is written in (default: ts where Node can run it, else python)',
      ).choices(LANGUAGES),
    )
    .addOption(configOption())
    .action(async (name: string, given: NewToolOptions, { args }: Command) => {
      const [, second] = args
      if (second !== undefined)
        begin.error(
          `error: expected one name, got ${JSON.stringify(args.join(' '))}; write: toolblocks new ${name === 'tool' ? second : name}`,
        )
      const { writeNewTool } = await import('./new-tool.ts')
      end(await writeNewTool(context, name, given))
    })
}

/** Adds the command `toolblocks doctor`. */
export function addDoctor(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('doctor')
    .description('look for what is missing or wrong here, and say how to mend it')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (given: SharedOptions) => {
      const { runDoctor } = await import('./doctor/doctor.ts')
      end(await runDoctor(context, given))
    })
}

/** Adds the command `toolblocks trust`. */
export function addTrust(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('trust')
    .description('show what this folder wants to do, and agree to it')
    .option('--revoke', 'forget what was agreed to')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (given: TrustOptions) => {
      const { trustFolder } = await import('./trust-folder.ts')
      end(await trustFolder(context, given))
    })
}

/** Adds the commands `toolblocks config …`. */
export function addConfig(program: Command, context: CommandContext, end: ExitCode): void {
  const config = program
    .command('config')
    .description('show which settings count, and where each comes from')
  config
    .command('show')
    .description('every setting that counts here, with the file and line that say it')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (given: SharedOptions) => {
      const { showConfiguration } = await import('./show-configuration.ts')
      end(await showConfiguration(context, given))
    })
  config
    .command('schema')
    .description('print the JSON Schema of toolblocks.toml, for editors')
    .action(async () => {
      const { printConfigurationSchema } = await import('./show-configuration.ts')
      end(printConfigurationSchema(context))
    })
}
