import type { Command } from 'commander'
import type { CommandContext } from '../commands/command-context.ts'
import type { DemoOptions } from '../commands/run-demo.ts'
import type { GalleryOptions } from '../gallery/show-gallery.ts'
import { outputOption } from './command-options.ts'
import type { End } from './end.ts'

/** Adds the words that show what there is: `toolblocks demo` and `toolblocks gallery`. */
export function addDemo(program: Command, context: CommandContext, end: End): void {
  program
    .command('demo')
    .description('play a scripted model against real tools, in a temporary workspace')
    .option('--model-view', 'show each answer as a model receives it, too')
    .option('--editor', 'answer forms in your editor ($VISUAL or $EDITOR)')
    .option('--keep', 'keep the workspace, to look around in it')
    .addOption(outputOption())
    .action(async (given: DemoOptions) => {
      const { runDemo } = await import('../commands/run-demo.ts')
      end(await runDemo(context, given))
    })
  program
    .command('gallery')
    .description('show every kind of result as this terminal shows it')
    .option('--html <file>', 'write it as a page for a browser instead')
    .option('--force', 'replace a file that exists')
    .action(async (given: GalleryOptions) => {
      const { showGallery } = await import('../gallery/show-gallery.ts')
      end(await showGallery(context, given))
    })
}
