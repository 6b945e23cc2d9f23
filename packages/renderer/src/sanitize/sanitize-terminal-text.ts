import { type TerminalText } from '@toolblocks/protocol'
import { countCharacters, takeCodeUnits } from '@toolblocks/protocol/text'
import { toTerminalText } from './terminal-text.ts'
import { isPlain, revealOddInLine } from './odd-characters.ts'
import { type SanitizeOptions, createTerminalSanitizer } from './terminal-sanitizer.ts'

/**
 * Makes text from outside safe for a terminal, in one pass. What stays: printable text, line feeds, tabs and, by default,
 * colours, which are closed at the end. What goes: every other control character and control sequence, with its payload (up
 * to the line feed where it has no end, and up to 4 KiB of a command, 64 KiB of another string); CRLF becomes LF. What would
 * be invisible or would turn the order of letters becomes U+FFFD.
 */
export function sanitizeTerminalText(text: string, options: SanitizeOptions = {}): TerminalText {
  if (isPlain(text)) return toTerminalText(text)
  const sanitizer = createTerminalSanitizer(options)
  const start = sanitizer.push(text)
  return toTerminalText(start + sanitizer.finish())
}

/** Graphemes of a line that are shown, and how many code units of text each may take where they are looked for. */
const MAX_LENGTH = 200
const UNITS = 20

/** Blanks in a row that are shown. */
const BLANKS = 3
const PLAIN = /^(?!.* {4})[\x20-\x7E]{0,200}$/

/** Made at first use: reading its tables costs some ten milliseconds. */
let graphemes: Intl.Segmenter | undefined

/** How long a line may be. */
export interface TerminalLineOptions {
  /** Graphemes that are shown. Default: 200. */
  longest?: number
}

/**
 * Writes text from outside as one line in which nothing hides: for names, questions, paths, addresses, commands. Line ends
 * show as `⏎`, tabs as spaces, other odd characters by their number, for example `\u{202E}`. Of spaces in a row three stay.
 * After 200 graphemes, or `longest`, the characters that are left out are counted: `…(+12)`.
 */
export function sanitizeTerminalLine(
  text: string,
  { longest = MAX_LENGTH }: TerminalLineOptions = {},
): TerminalText {
  if (text.length <= longest && PLAIN.test(text)) return toTerminalText(text)
  const collapsed = collapseBlanks(text, BLANKS)
  const head = takeCodeUnits(collapsed, longest * UNITS)
  const line = revealOddInLine(head)
  const end = endOfGraphemes(line, longest)
  const left = countCharacters(line.slice(end)) + countCharacters(collapsed.slice(head.length))
  return toTerminalText(left === 0 ? line : `${line.slice(0, end)}…(+${left})`)
}

function endOfGraphemes(text: string, count: number): number {
  graphemes ??= new Intl.Segmenter()
  let seen = 0
  for (const { index } of graphemes.segment(text)) {
    if (seen === count) return index
    seen += 1
  }
  return text.length
}

const BLANK = '[ \\t\\xA0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800\\u3000]'
const MORE_LINE_FEEDS = /(?<=\n{3})\n/g

/**
 * Keeps the first so many of blanks in a row, and three of line feeds, so that nothing is pushed out of sight. CRLF becomes LF.
 */
export function collapseBlanks(text: string, kept: number): string {
  // Looking back takes the same few steps for each blank, however many there are.
  const more = new RegExp(`(?<=(?:${BLANK}|\\n){${kept}})${BLANK}`, 'g')
  return text.replaceAll('\r\n', '\n').replaceAll(more, '').replaceAll(MORE_LINE_FEEDS, '')
}
