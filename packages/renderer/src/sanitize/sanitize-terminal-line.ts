import type { TerminalText } from '@toolblocks/protocol'
import { countCharacters, firstUnits } from '../characters.ts'
import { toTerminalText } from '../terminal-text.ts'
import { isAtHome, isJoining, JOINING_CONTEXT } from './joining-characters.ts'
import { replaceOdd } from './odd-characters.ts'

/** Graphemes of a line that are shown, and the most code units of text that they are looked for in. */
const LONGEST = 200
const LOOKED_AT = 4000

const PLAIN = /^(?!.* {4})[\x20-\x7E]{0,200}$/
const BLANK = '[ \\t\\xA0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800\\u3000]'
const MORE_BLANK = new RegExp(`(?<=(?:${BLANK}|\\n){3})${BLANK}`, 'g')
const MORE_LINE_FEEDS = /(?<=\n{3})\n/g
/** No script puts more than this on one letter. */
const MORE_MARKS = /(?<=\p{M}{8})\p{M}/gu
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
  const line = reveal(head)
  const end = endOfGraphemes(line, LONGEST)
  const left = countCharacters(line.slice(end)) + countCharacters(collapsed.slice(head.length))
  return toTerminalText(left === 0 ? line : `${line.slice(0, end)}…(+${left})`)
}

function collapse(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(MORE_BLANK, '').replaceAll(MORE_LINE_FEEDS, '')
}

function reveal(text: string): string {
  const line = text.replaceAll('\n', '⏎').replaceAll('\t', ' ').replaceAll(MORE_MARKS, numberOf)
  return replaceOdd(line, (character, at, whole) => {
    if (!isJoining(character)) return numberOf(character)
    const before = whole.slice(Math.max(0, at - JOINING_CONTEXT), at)
    return isAtHome(character, before, whole.slice(at + 1, at + 3))
      ? character
      : numberOf(character)
  })
}

function numberOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}

function endOfGraphemes(text: string, count: number): number {
  let seen = 0
  for (const { index } of graphemes.segment(text)) {
    if (seen === count) return index
    seen += 1
  }
  return text.length
}
