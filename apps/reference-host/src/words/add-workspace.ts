import { type Command, Option } from 'commander'
import type { CommandContext } from '../commands/command-context.ts'
import type { TrustOptions } from '../commands/trust-folder.ts'
import type { NewToolOptions } from '../commands/new-tool.ts'
import { LANGUAGES } from '../new-tool/languages.ts'
import { configOption, outputOption } from './command-options.ts'
import type { End } from './end.ts'

/** Adds the words that prepare a workspace: `toolblocks init`, `new`, `trust` and `config`. */
export function addWorkspace(program: Command, context: CommandContext, end: End): void {
  program
    .command('init')
    .description('write a toolblocks.toml and a first tool into this folder')
    .action(async () => {
      const { initializeWorkspace } = await import('../commands/initialize-workspace.ts')
      end(await initializeWorkspace(context))
    })
  program
    .command('new')
    .description('begin something of your own')
    .command('tool')
    .description('write a tool that works, with its test, and name it in toolblocks.toml')
    .argument('<name>', 'what a model calls it')
    .addOption(
      new Option('--language <language>', 'what it is written in').choices(LANGUAGES).default('ts'),
    )
    .addOption(configOption())
    .action(async (name: string, given: NewToolOptions) => {
      const { writeNewTool } = await import('../commands/new-tool.ts')
      end(await writeNewTool(context, name, given))
    })
  program
    .command('trust')
    .description(
      'show what this folder wants to start, reach, read, send and write, and agree to it',
    )
    .option('--revoke', 'forget what was agreed to')
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (given: TrustOptions) => {
      const { trustFolder } = await import('../commands/trust-folder.ts')
      end(await trustFolder(context, given))
    })
  program
    .command('config')
    .description('what a toolblocks.toml may say')
    .command('schema')
    .description('print the JSON Schema of toolblocks.toml, for editors')
    .action(async () => {
      const { printConfigurationSchema } = await import('../commands/print-configuration-schema.ts')
      end(printConfigurationSchema(context))
    })
}
