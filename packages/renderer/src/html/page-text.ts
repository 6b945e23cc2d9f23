import type { SafeHtml } from '@toolblocks/protocol'
import { sanitizeTerminalLine } from '../sanitize/sanitize-terminal-line.ts'
import { revealOdd } from '../sanitize/reveal-odd.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { encodeHtml } from './safe-html.ts'

/** Text of several lines for a page: without sequences for a terminal, and what turns or hides letters becomes U+FFFD. */
export function pageText(text: string): SafeHtml {
  return encodeHtml(sanitizeTerminalText(text, { colors: 'strip' }))
}

/** One line for a page, for names and facts: odd characters show by their number, and it ends somewhere. */
export function pageLine(text: string): SafeHtml {
  return encodeHtml(sanitizeTerminalLine(text, { longest: LONGEST }))
}

/** What a person decides on: whole, and nothing in it hides. */
export function pageDecision(text: string): SafeHtml {
  return encodeHtml(revealOdd(text))
}

const LONGEST = 500
