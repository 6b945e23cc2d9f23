import type { ImageProtocol } from '../terminal/find-abilities.ts'
import type { ImageWriter } from '../terminal/image-writer.ts'
import { writeBlocks } from './write-blocks.ts'
import { writeIterm } from './write-iterm.ts'
import { writeKitty } from './write-kitty.ts'
import { writeSixel } from './write-sixel.ts'

/**
 * Makes what shows pictures: PNG, and what iTerm2 reads itself also in JPEG, GIF and WebP. Needs pngjs, an
 * optional peer. What is no picture, or too large, is left to the line that names it.
 */
export function createImageWriter(protocol: ImageProtocol): ImageWriter {
  switch (protocol) {
    case 'kitty':
      return writeKitty
    case 'iterm':
      return writeIterm
    case 'sixel':
      return writeSixel
    case 'blocks':
      return writeBlocks
  }
}
