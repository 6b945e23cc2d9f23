import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from '../terminal-text.ts'
import { isAtHome, isJoining, JOINING_CONTEXT } from './joining-characters.ts'
import { oddCharacters } from './odd-characters.ts'

/** Graphemes of a line that are shown. */
const LONGEST = 200
const PLAIN = /^(?!.* {4})[\x20-\x7E]{0,200}$/
const graphemes = new Intl.Segmenter()

/**
 * Writes text from outside as one line in which nothing hides: for names, questions, paths, addresses, commands. Line ends
 * show as `⏎`, tabs as spaces, other odd characters by their number, for example `\u{202E}`; more than three spaces in a row
 * are one; after 200 graphemes the rest is counted: `…(+12)`.
 */
export function sanitizeTerminalLine(text: string): TerminalText {
  if (PLAIN.test(text)) return toTerminalText(text)
  return toTerminalText(shorten(collapse(reveal(text))))
}

function reveal(text: string): string {
  return text.replaceAll(oddCharacters(), (character: string, at: number) => {
    if (character === '\r' && text[at + 1] === '\n') return ''
    if (isJoining(character)) {
      const after = text.slice(at + 1, at + 3)
      if (isAtHome(character, text.slice(Math.max(0, at - JOINING_CONTEXT), at), after))
        return character
    }
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
  })
}

function collapse(text: string): string {
  return text
    .replaceAll(/\s{4,}/gu, (space) => (space.includes('\n') ? '⏎' : ' '))
    .replaceAll('\n', '⏎')
    .replaceAll('\t', ' ')
}

function shorten(text: string): string {
  let end = 0
  let count = 0
  for (const { index } of graphemes.segment(text)) {
    if (count === LONGEST) end = index
    count += 1
  }
  return count <= LONGEST ? text : `${text.slice(0, end)}…(+${count - LONGEST})`
}
