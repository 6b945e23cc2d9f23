import { type Command, Option } from 'commander'
import type { CommandContext } from '../../terminal/command-context.ts'
import type { DemoOptions } from './run-demo.ts'
import type { GalleryOptions } from './show-gallery.ts'
import { type ExitCode, outputOption } from '../options/command-options.ts'

/** Adds the command `toolblocks demo`. */
export function addDemo(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('demo')
    .description('watch a scripted model use real tools')
    .option('--model-view', 'also show each result as a model receives it')
    .option('--editor', 'answer forms in your editor ($VISUAL or $EDITOR)')
    .option('--keep', 'keep the workspace after the demo')
    .addOption(
      new Option(
        '--page',
        'show the conversation on a page, beside what the model receives, and answer there',
      ).conflicts(['modelView', 'editor', 'output']),
    )
    .option('--no-open', 'with --page: print the address, and open no browser')
    .addOption(outputOption())
    .action(async (options: DemoOptions) => {
      const { runDemo } = await import('./run-demo.ts')
      end(await runDemo(context, options))
    })
}

/** Adds the command `toolblocks gallery`. */
export function addGallery(program: Command, context: CommandContext, end: ExitCode): void {
  program
    .command('gallery')
    .description('show every kind of result in this terminal')
    .addOption(outputOption(['text', 'html']))
    .option('--to <file>', 'the file for the page')
    .option('--force', 'replace an existing file')
    .action(async (options: GalleryOptions) => {
      const { showGallery } = await import('./show-gallery.ts')
      end(await showGallery(context, options))
    })
}
