import { type Command, Option } from 'commander'
import {
  type ExitCode,
  configOption,
  outputOption,
  trustOption,
} from '../options/command-options.ts'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { ImportOptions } from './import.ts'
import { FORMAT_NAMES } from '@toolblocks/conversation-store/internal/format-names'

/** Adds the command `toolblocks import`. */
export function addImport(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('import')
    .description('import conversations of other programs into the store')
    .argument('[paths...]', 'files, or folders to search')
    .addOption(
      new Option('--from <format>', 'the format of the files (default: detected)').choices(
        FORMAT_NAMES,
      ),
    )
    .option('--dry-run', 'show what would be imported, and import nothing')
    .option('--discover', 'search the places where programs keep conversations on this machine')
    .option('--yes', 'with --discover: import all that is found, ask nothing')
    .addOption(trustOption())
    .addOption(configOption())
    .addOption(outputOption())
    .action(async (paths: readonly string[], options: ImportOptions) => {
      const { importPaths } = await import('./import.ts')
      end(await importPaths(context, paths, options))
    })
}
