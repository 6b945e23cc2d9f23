import type { TerminalText } from '@toolblocks/protocol'
import {
  createTerminalStyle,
  joinTerminal,
  renderTerminal,
  type RenderOptions,
} from '@toolblocks/renderer'
import { GALLERY } from './gallery.ts'

/** The gallery for a terminal: each piece under its title. */
export function writeGallery(options: RenderOptions): TerminalText {
  const style = createTerminalStyle(options.colors ?? 'none')
  const pieces = GALLERY.map(({ title, result }) => {
    const shown = renderTerminal(result, { root: '/lighthouse', ...options })
    return joinTerminal([style.yellow(`── ${title}`), shown], '\n')
  })
  return joinTerminal(pieces, '\n\n')
}
