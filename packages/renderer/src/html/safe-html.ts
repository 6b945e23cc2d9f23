import type { SafeHtml } from '@toolblocks/protocol'
import { revealUnsafe } from '../sanitize/unsafe-characters.ts'
import { sanitizeTerminalLine, sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'

declare const sanitized: unique symbol

/** Text that a page may show: sanitized, or written here. It is encoded when it is written as HTML. */
export type PageText = string & { readonly [sanitized]: true }

/** The allowed values in a template: encoded text and markup that is written here. */
type HtmlPiece = SafeHtml | number | readonly SafeHtml[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Encodes text as markup, in one place. It cannot end an element or a quoted attribute. */
export function encodeHtml(text: string): SafeHtml {
  if (!/[&<>"'\0\uD800-\uDFFF]/.test(text)) return toSafeHtml(text)
  return toSafeHtml(
    replaceUnencodable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? ''),
  )
}

/** Creates markup from a template with encoded pieces. A plain string does not compile. */
export function markup(texts: TemplateStringsArray, ...pieces: readonly HtmlPiece[]): SafeHtml {
  return toSafeHtml(
    texts.map((text, index) => `${text}${renderPiece(pieces[index] ?? [])}`).join(''),
  )
}

/** Concatenates pieces of markup. */
export function joinHtml(pieces: readonly SafeHtml[], between = NOTHING): SafeHtml {
  return toSafeHtml(pieces.join(between))
}

/** Empty markup. */
const NOTHING = toSafeHtml('')

function renderPiece(piece: HtmlPiece): string {
  return typeof piece === 'object' ? piece.join('') : String(piece)
}

function toSafeHtml(written: string): SafeHtml {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return written as SafeHtml
}

/** Encodes text of several lines for a page. Terminal sequences are removed, and reordering or invisible characters become U+FFFD. */
export function encodePageText(text: string): SafeHtml {
  return encodeHtml(sanitizePageText(text))
}

/** Encodes one line for a page, for names and facts. Unusual characters are shown by their number, and the length is limited. */
export function encodePageLine(text: string): SafeHtml {
  return encodeHtml(sanitizePageLine(text))
}

/** Encodes text for a decision: complete, with unusual characters shown by their number. */
export function encodePageDecision(text: string): SafeHtml {
  return encodeHtml(sanitizePageDecision(text))
}

/** Returns the text that `encodePageText` encodes, for a text node. */
export function sanitizePageText(text: string): PageText {
  return toPageText(sanitizeTerminalText(text, { colors: 'strip' }))
}

/** Returns the text that `encodePageLine` encodes, for a text node or an attribute. */
export function sanitizePageLine(text: string): PageText {
  return toPageText(sanitizeTerminalLine(text, { maxLength: MAX_LINE_LENGTH }))
}

/** Returns the text that `encodePageDecision` encodes, for a text node or an attribute. */
export function sanitizePageDecision(text: string): PageText {
  return toPageText(revealUnsafe(text))
}

/** Maximum length of a text that is filled in, in UTF-16 code units: a few screens. */
const MAX_FILLED_LENGTH = 4000

/** Whether a text can be filled in for a person: it is short enough, and shown as it is. What is sent must be what the person sees. */
export function canFillIn(text: string): boolean {
  return text.length <= MAX_FILLED_LENGTH && sanitizePageDecision(text) === text
}

/** Creates text from a template with sanitized pieces. A plain string does not compile. */
export function pageText(
  texts: TemplateStringsArray,
  ...pieces: readonly (PageText | number)[]
): PageText {
  return toPageText(String.raw({ raw: texts }, ...pieces))
}

/** Concatenates texts. */
export function joinPageText(texts: readonly PageText[], between: PageText): PageText {
  return toPageText(texts.join(between))
}

function toPageText(text: string): PageText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is made here
  return replaceUnencodable(text) as PageText
}

/** Replaces the characters that no document can contain. */
function replaceUnencodable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

const MAX_LINE_LENGTH = 500
const MAX_ADDRESS_LENGTH = 2048

/** Returns an address that a page may link to, as a browser writes it; `undefined` for any other. */
export function encodePageAddress(uri: string): string | undefined {
  // Only absolute addresses: a relative one would depend on the page.
  if (uri.length > MAX_ADDRESS_LENGTH || !/^(?:https?:\/\/|mailto:)[^\s\\]+$/i.test(uri))
    return undefined
  const url = URL.parse(uri)
  // A user name before the host could look like the host.
  return url?.username === '' && url.password === '' ? url.href : undefined
}
