import type { SafeHtml } from '@toolblocks/protocol'
import { revealOdd } from '../sanitize/odd-characters.ts'
import { sanitizeTerminalLine, sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'

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
    texts.map((text, index) => `${text}${renderPiece(pieces[index] ?? [])}`).join(''),
  )
}

/** Pieces of markup one behind the other. */
export function joinHtml(pieces: readonly SafeHtml[], between = NOTHING): SafeHtml {
  return toSafeHtml(pieces.join(between))
}

/** No markup. */
export const NOTHING = toSafeHtml('')

function renderPiece(piece: Piece): string {
  return typeof piece === 'object' ? piece.join('') : String(piece)
}

function toSafeHtml(written: string): SafeHtml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return written as SafeHtml
}

/** Text of several lines for a page: without sequences for a terminal, and what turns or hides letters becomes U+FFFD. */
export function encodePageText(text: string): SafeHtml {
  return encodeHtml(sanitizeTerminalText(text, { colors: 'strip' }))
}

/** One line for a page, for names and facts: odd characters show by their number, and it ends somewhere. */
export function encodePageLine(text: string): SafeHtml {
  return encodeHtml(sanitizeTerminalLine(text, { longest: MAX_LINE_LENGTH }))
}

/** What a person decides on: whole, and nothing in it hides. */
export function pageDecision(text: string): SafeHtml {
  return encodeHtml(revealOdd(text))
}

const MAX_LINE_LENGTH = 500
const MAX_ADDRESS_LENGTH = 2048

/** An address that a page may lead to, as a browser writes it; undefined for every other one. */
export function encodePageAddress(uri: string): string | undefined {
  // Only what says its scheme itself: a relative address would lead to wherever the page is.
  if (uri.length > MAX_ADDRESS_LENGTH || !/^(?:https?:\/\/|mailto:)[^\s\\]+$/i.test(uri))
    return undefined
  const url = URL.parse(uri)
  // A user name before the host passes for the host.
  return url?.username === '' && url.password === '' ? url.href : undefined
}
