import type { TerminalText } from '@toolblocks/protocol'
import { END_OF_LINK, openLinkAfter, OWN_SEQUENCE } from './own-sequences.ts'
import { graphemesOf, widthOf } from './width-of.ts'
import { toTerminalText } from '../terminal-text.ts'

const WORDS = new RegExp(` +|(?:${OWN_SEQUENCE}|[^ \\u001B])+`, 'g')
const PIECES = new RegExp(`${OWN_SEQUENCE}|[^\\u001B]+`, 'g')
const INDENT = new RegExp(`^((?:${OWN_SEQUENCE})*)( *)`)
const TAB = 8
/** Columns of the widest character. */
const WIDEST = 2

/**
 * Wraps lines between words so that none is wider than `columns`; a word that is wider itself is broken between characters.
 * Further rows stand as deep as their line, behind `hang`. Tabs become spaces. `Infinity` changes nothing.
 */
export function wrapTerminal(text: TerminalText, columns: number, hang = ''): TerminalText {
  if (columns === Infinity) return text
  const lines = text.split('\n').map((line) => wrapLine(withoutTabs(line), columns, hang))
  return toTerminalText(lines.join('\n'))
}

function wrapLine(line: string, columns: number, hang: string): string {
  if (widthOf(line) <= columns) return line
  const [start = '', , indent = ''] = INDENT.exec(line) ?? []
  const isDeep = indent.length + hang.length > Math.min(columns / 2, columns - WIDEST)
  const deeper = isDeep ? '' : indent + hang
  let done = ''
  let row = isDeep ? start.trimEnd() : start
  let taken = isDeep ? 0 : indent.length
  let gap = ''
  /** What opens the link that a row stands in: a link ends with its row, so that no indent is part of it. */
  let link = openLinkAfter(start, '')
  const breakRow = (): void => {
    done += `${row}${link === '' ? '' : END_OF_LINK}\n`
    row = deeper + link
    taken = deeper.length
    gap = ''
  }
  for (const [word] of line.slice(start.length).matchAll(WORDS)) {
    if (word.startsWith(' ')) {
      gap = word
      continue
    }
    const width = widthOf(word)
    const isBroken = deeper.length + width > columns
    if (taken + gap.length > deeper.length && taken + gap.length + (isBroken ? 1 : width) > columns)
      breakRow()
    row += gap
    taken += gap.length
    gap = ''
    if (!isBroken) {
      row += word
      taken += width
      link = openLinkAfter(word, link)
      continue
    }
    for (const [character, wide] of charactersOf(word)) {
      if (taken + wide > columns && taken > deeper.length) breakRow()
      row += character
      taken += wide
      link = openLinkAfter(character, link)
    }
  }
  return done + row
}

/** The characters of a word with their widths; a colour takes none. */
function* charactersOf(word: string): Generator<[string, number]> {
  for (const [piece] of word.matchAll(PIECES)) {
    if (piece.startsWith('\u001B')) yield [piece, 0]
    else for (const character of graphemesOf(piece)) yield [character, widthOf(character)]
  }
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  const [first = '', ...rest] = line.split('\t')
  let shown = first
  let taken = widthOf(first)
  for (const part of rest) {
    const fill = TAB - (taken % TAB)
    shown += ' '.repeat(fill) + part
    taken += fill + widthOf(part)
  }
  return shown
}
