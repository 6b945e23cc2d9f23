import type { SafeHtml } from '@toolblocks/protocol'
import { type HtmlOptions, markup, pageLine, renderHtml } from '@toolblocks/renderer/html'
import type { GalleryPiece } from '../../gallery/gallery-pieces.ts'

/** Every kind of result, each under its title. */
export function writePieces(pieces: readonly GalleryPiece[], options: HtmlOptions): SafeHtml {
  const shown = pieces.map(
    ({ title, result }) =>
      markup`<section><h2>${pageLine(title)}</h2>${renderHtml(result, options)}</section>`,
  )
  return markup`<h1>Gallery</h1>${shown}`
}
