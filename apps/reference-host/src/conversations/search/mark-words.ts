import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, type TerminalStyle } from '@toolblocks/renderer'

/** The words of what was typed, as a search takes them: letters and digits. */
export function searchWords(text: string): readonly string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
}

/** Writes a line from outside with some words in bold, wherever they stand and however they are spelled. */
export function markWords(
  line: string,
  words: readonly string[],
  { plain, bold }: Pick<TerminalStyle, 'plain' | 'bold'>,
): TerminalText {
  if (words.length === 0) return plain(line)
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  // Words are letters and digits, so none means anything in a pattern.
  const pieces = line.split(new RegExp(`(${longestFirst.join('|')})`, 'iu'))
  // What was split at stands between what it separated.
  return joinTerminal(pieces.map((piece, at) => (at % 2 === 1 ? bold(piece) : plain(piece))))
}
