import type { TerminalText } from '@toolblocks/protocol'
import { toTerminalText } from '../terminal-text.ts'
import { joinsNeighbours, isJoining, JOINING_CONTEXT } from './joining-characters.ts'
import { replaceOdd } from './odd-characters.ts'
import { beginsWithTag, isInFlag } from './tagged-flags.ts'

/** No script puts more marks than this on one letter. */
const MORE_MARKS = /(?<=\p{M}{8})\p{M}/gu

/** Text with each odd character shown by its number, for example `\u{202E}`. Nothing is dropped; CRLF becomes LF. */
export function revealOdd(text: string): TerminalText {
  const marked = text.replaceAll('\r\n', '\n').replaceAll(MORE_MARKS, numberOf)
  const revealed = replaceOdd(marked, (character, at, whole) => {
    if (!isJoining(character)) return numberOf(character)
    if (beginsWithTag(character)) return isInFlag(whole, at) ? character : numberOf(character)
    const before = whole.slice(Math.max(0, at - JOINING_CONTEXT), at)
    const after = whole.slice(at + 1, at + 3)
    return joinsNeighbours(character, before, after) ? character : numberOf(character)
  })
  return toTerminalText(revealed)
}

/** The same as one line: line ends show as `⏎`, tabs as spaces. */
export function revealOddInLine(text: string): TerminalText {
  return toTerminalText(revealOdd(text).replaceAll('\n', '⏎').replaceAll('\t', ' '))
}

function numberOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}
