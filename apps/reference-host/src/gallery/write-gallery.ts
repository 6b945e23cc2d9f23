import type { TerminalText } from '@toolblocks/protocol'
import {
  createTerminalStyle,
  joinTerminal,
  renderTerminal,
  type RenderOptions,
} from '@toolblocks/renderer'
import type { GalleryPiece } from './gallery-pieces.ts'
import { KIND_PIECES } from './pieces-by-kind.ts'
import { OTHER_PIECES, VIEW_PIECES } from './pieces-by-view.ts'

/** Every kind, view and hint of a result. */
export const GALLERY: readonly GalleryPiece[] = [...KIND_PIECES, ...VIEW_PIECES, ...OTHER_PIECES]

/** The gallery for a terminal: each piece under its title. */
export function writeGallery(options: RenderOptions): TerminalText {
  const style = createTerminalStyle(options.colors ?? 'none')
  const pieces = GALLERY.map(({ title, result }) => {
    const shown = renderTerminal(result, { root: '/work', ...options })
    return joinTerminal([style.yellow(`── ${title}`), shown], '\n')
  })
  return joinTerminal(pieces, '\n\n')
}
