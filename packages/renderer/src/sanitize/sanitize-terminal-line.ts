import type { TerminalText } from '@toolblocks/protocol'
import { countCharacters, firstUnits } from '@toolblocks/protocol'
import { toTerminalText } from '../terminal-text.ts'
import { collapseBlanks } from './collapse-blanks.ts'
import { revealOddInLine } from './reveal-odd.ts'

/** Graphemes of a line that are shown, and how many code units of text each may take where they are looked for. */
const LONGEST = 200
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
  { longest = LONGEST }: TerminalLineOptions = {},
): TerminalText {
  if (text.length <= longest && PLAIN.test(text)) return toTerminalText(text)
  const collapsed = collapseBlanks(text, BLANKS)
  const head = firstUnits(collapsed, longest * UNITS)
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
