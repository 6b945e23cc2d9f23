import type { SafeHtml } from '@toolblocks/protocol'

/** What stands between the tags of a template: only what was encoded, or was written here. */
type Piece = SafeHtml | number | readonly SafeHtml[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The one place where text becomes markup: it can end neither an element nor an attribute that stands in quotes. */
export function encodeHtml(text: string): SafeHtml {
  return toSafeHtml(
    text
      .toWellFormed()
      .replaceAll('\0', '\uFFFD')
      .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? ''),
  )
}

/** Markup of ours with encoded pieces in it; a plain string in it does not compile. */
export function markup(texts: TemplateStringsArray, ...pieces: readonly Piece[]): SafeHtml {
  return toSafeHtml(
    texts.map((text, index) => `${text}${writePiece(pieces[index] ?? [])}`).join(''),
  )
}

/** Pieces of markup one behind the other. */
export function joinHtml(pieces: readonly SafeHtml[], between = NOTHING): SafeHtml {
  return toSafeHtml(pieces.join(between))
}

/** No markup. */
export const NOTHING = toSafeHtml('')

function writePiece(piece: Piece): string {
  return typeof piece === 'object' ? piece.join('') : String(piece)
}

function toSafeHtml(written: string): SafeHtml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return written as SafeHtml
}
