import {
  requireArguments,
  requireChoices,
  countCharacters,
  takeCodeUnits,
} from '@toolblocks/protocol/internal'
import { type TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from './terminal-text.ts'
import { isPlain, revealUnsafeInLine } from './unsafe-characters.ts'
import {
  SANITIZE_CHOICES,
  type SanitizeOptions,
  createTerminalSanitizer,
} from './terminal-sanitizer.ts'

/**
 * Makes untrusted text safe for a terminal, in one pass. It keeps printable text, line feeds, tabs and, by default, colours, which are closed at
 * the end. It removes every other control character and control sequence with its payload (up to the line feed if it has no end, and up to 4 KiB of
 * a command, 64 KiB of another string). CRLF becomes LF. Invisible or reordering characters become U+FFFD.
 */
export function sanitizeTerminalText(text: string, options: SanitizeOptions = {}): TerminalText {
  requireChoices('sanitizeTerminalText(text, options)', 'options', options, SANITIZE_CHOICES)
  if (isPlain(text)) return toTerminalText(text)
  const sanitizer = createTerminalSanitizer(options)
  const start = sanitizer.push(text)
  return toTerminalText(start + sanitizer.finish())
}

/** Maximum graphemes of a shown line, and code units in which they are searched. */
const MAX_LENGTH = 200
const UNITS = 20

/** Maximum consecutive blanks that are shown. */
const BLANKS = 3
const PLAIN = /^(?!.* {4})[\x20-\x7E]{0,200}$/

/** Created on first use, because reading its tables takes about ten milliseconds. */
let graphemes: Intl.Segmenter | undefined

/** Options for the length of a line. */
export interface TerminalLineOptions {
  /** Maximum graphemes that are shown. Default: 200. */
  maxLength?: number
}

/**
 * Renders untrusted text as one line without hidden content: for names, questions, paths, addresses, commands. Line ends become `⏎`, tabs become
 * spaces, and unsafe characters are shown by their number, for example `\u{202E}`. At most three consecutive spaces stay. After 200 graphemes, or
 * `maxLength`, the omitted characters are counted: `…(+12)`.
 */
export function sanitizeTerminalLine(
  text: string,
  { maxLength = MAX_LENGTH }: TerminalLineOptions = {},
): TerminalText {
  requireArguments('sanitizeTerminalLine(text, …)', [text, 'string'])
  if (text.length <= maxLength && PLAIN.test(text)) return toTerminalText(text)
  const collapsed = collapseBlanks(text, BLANKS)
  const head = takeCodeUnits(collapsed, maxLength * UNITS)
  const line = revealUnsafeInLine(head)
  const end = endOfGraphemes(line, maxLength)
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

/** Keeps the first `kept` of consecutive blanks, and three of line feeds, so that nothing is pushed out of sight. CRLF becomes LF. */
export function collapseBlanks(text: string, kept: number): string {
  // Looking back takes the same few steps for each blank, however many there are.
  const more = new RegExp(`(?<=(?:${BLANK}|\\n){${kept}})${BLANK}`, 'g')
  return text.replaceAll('\r\n', '\n').replaceAll(more, '').replaceAll(MORE_LINE_FEEDS, '')
}
