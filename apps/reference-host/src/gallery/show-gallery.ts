import { findImageProtocol, knowsLinks } from '@toolblocks/renderer'
import { createImageWriter } from '@toolblocks/renderer/images'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { EXIT } from '../exit-codes.ts'
import type { CommandContext } from '../commands/command-context.ts'
import { writeGallery } from './write-gallery.ts'

/** `toolblocks gallery`: every kind of result as this terminal shows it. */
export async function showGallery({ terminal }: CommandContext): Promise<number> {
  const { colors, columns } = terminal
  const isPlain = colors === 'none'
  const readers = await loadContentReaders()
  terminal.print(
    writeGallery({
      colors,
      columns,
      readers,
      links: !isPlain && knowsLinks(process.env) ? 'osc8' : 'none',
      ...(!isPlain && { images: createImageWriter(findImageProtocol(process.env)) }),
    }),
  )
  return EXIT.ok
}
