import type { TerminalText } from '@toolblocks/protocol'
import { countCharacters, firstUnits } from '../characters.ts'
import { toTerminalText } from '../terminal-text.ts'
import { revealOddInLine } from './reveal-odd.ts'

/** Graphemes of a line that are shown, and the most code units of text that they are looked for in. */
const LONGEST = 200
const LOOKED_AT = 4000

const PLAIN = /^(?!.* {4})[\x20-\x7E]{0,200}$/
const BLANK = '[ \\t\\xA0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800\\u3000]'
const MORE_BLANK = new RegExp(`(?<=(?:${BLANK}|\\n){3})${BLANK}`, 'g')
const MORE_LINE_FEEDS = /(?<=\n{3})\n/g
const graphemes = new Intl.Segmenter()

/**
 * Writes text from outside as one line in which nothing hides: for names, questions, paths, addresses, commands. Line ends
 * show as `⏎`, tabs as spaces, other odd characters by their number, for example `\u{202E}`. Of spaces in a row three stay.
 * After 200 graphemes the characters that are left out are counted: `…(+12)`.
 */
export function sanitizeTerminalLine(text: string): TerminalText {
  if (text.length <= LONGEST && PLAIN.test(text)) return toTerminalText(text)
  const collapsed = collapse(text)
  const head = firstUnits(collapsed, LOOKED_AT)
  const line = revealOddInLine(head)
  const end = endOfGraphemes(line, LONGEST)
  const left = countCharacters(line.slice(end)) + countCharacters(collapsed.slice(head.length))
  return toTerminalText(left === 0 ? line : `${line.slice(0, end)}…(+${left})`)
}

function collapse(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(MORE_BLANK, '').replaceAll(MORE_LINE_FEEDS, '')
}

function endOfGraphemes(text: string, count: number): number {
  let seen = 0
  for (const { index } of graphemes.segment(text)) {
    if (seen === count) return index
    seen += 1
  }
  return text.length
}
