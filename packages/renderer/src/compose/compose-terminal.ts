import { requireArguments } from '@toolblocks/protocol/internal'
import measure from 'fast-string-width'
import type { TerminalText } from '@toolblocks/protocol'
import {
  type OpenRenditions,
  RESET,
  applyRenditions,
  readRenditions,
  reopen,
} from '../sanitize/graphic-rendition.ts'
import { sanitizeTerminalText } from '../sanitize/sanitize-terminal-text.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'

/** A colour or weight of letters. */
const RENDITION = String.raw`\u001B\[[\d;:]*m`

/** A link or a picture: text for the terminal itself, up to its end. */
const STRING = String.raw`\u001B[\]_P][^\u001B\u0007]*(?:\u001B\\|\u0007)`

/** The address of the following link; an empty one ends it. */
const LINK = String.raw`\u001B\]8;;([^\u001B\u0007]*)\u001B\\`

/** Every sequence that terminal text may contain. All of them are written here and take no column. */
const OWN_SEQUENCE = `(?:${RENDITION}|${STRING})`

/** Concatenates parts, by default with nothing between them. The separator is the host's own plain text. */
export function joinTerminal(parts: readonly TerminalText[], separator = ''): TerminalText {
  requireArguments('joinTerminal(parts, …)', [parts, 'array'])
  return toTerminalText(parts.join(sanitizeTerminalText(separator, { colors: 'strip' })))
}

/** Puts parts below each other, with an empty line around those of several lines. Empty parts are omitted. */
export function stackTerminal(parts: readonly TerminalText[]): TerminalText {
  const filled = parts.filter((part) => part !== '')
  return toTerminalText(
    filled.map((part, index) => `${gapBetween(filled[index - 1], part)}${part}`).join(''),
  )
}

function gapBetween(upper: string | undefined, lower: string): string {
  if (upper === undefined) return ''
  return upper.includes('\n') || lower.includes('\n') ? '\n\n' : '\n'
}

/**
 * Puts a prefix, by default two spaces, before each line. Colours that are open at the end of a line are closed there and opened again after the
 * next prefix, so that the prefix keeps its own look.
 */
export function indentTerminal(text: TerminalText, prefix = '  '): TerminalText {
  requireArguments('indentTerminal(text, …)', [text, 'string'])
  const before = sanitizeTerminalText(prefix)
  const open: OpenRenditions = new Map()
  const lines = text.split('\n').map((line) => {
    const opened = reopen(open)
    applyLine(open, line)
    return `${before}${opened}${line}${open.size > 0 ? RESET : ''}`
  })
  return toTerminalText(lines.join('\n'))
}

function applyLine(open: OpenRenditions, line: string): void {
  // oxlint-disable-next-line no-control-regex -- colours begin with it
  for (const [, parameters] of line.matchAll(/\u001B\[([\d;:]*)m/g)) {
    applyRenditions(open, readRenditions(parameters ?? ''))
  }
}

const WORD_OR_SPACES = new RegExp(` +|(?:${OWN_SEQUENCE}|[^ \\u001B])+`, 'g')
const OWN_SEQUENCES = new RegExp(OWN_SEQUENCE, 'g')
const PIECES = new RegExp(`${OWN_SEQUENCE}|[^\\u001B]+`, 'g')
const INDENT = new RegExp(`^((?:${OWN_SEQUENCE})*)( *)`)
const TAB = 8

/** Columns of the widest character. */
const MAX_WIDTH = 2

/**
 * Wraps lines between words so that none is wider than `columns`. A wider word is broken between characters, unless `isWhole` returns true for it: then it
 * is a row that the terminal itself breaks, so that a person can copy or click it. Further rows have the indent of their line, after `hang`. Tabs become
 * spaces. `Infinity` changes nothing.
 */
export function wrapTerminal(
  text: TerminalText,
  columns: number,
  hang = '',
  isWhole: (word: string) => boolean = () => false,
): TerminalText {
  requireArguments('wrapTerminal(text, columns, …)', [text, 'string'], [columns, 'number'])
  if (columns === Infinity) return text
  const lines = text
    .split('\n')
    .map((line) => wrapLine(withoutTabs(line), { columns, hang, isWhole }))
  return toTerminalText(lines.join('\n'))
}

function wrapLine(
  line: string,
  { columns, hang, isWhole }: { columns: number; hang: string; isWhole: (word: string) => boolean },
): string {
  if (measureWidth(line) <= columns) return line
  const [start = '', , indent = ''] = INDENT.exec(line) ?? []
  const isDeep = indent.length + hang.length > Math.min(columns / 2, columns - MAX_WIDTH)
  const deeper = isDeep ? '' : indent + hang
  let done = ''
  let row = isDeep ? start.trimEnd() : start
  let taken = isDeep ? 0 : indent.length
  let gap = ''
  /** The sequence that opens the link of a row. A link ends with its row, so that no indent is part of it. */
  let link = openLinkAfter(start, '')
  const breakRow = (): void => {
    done += `${row}${link === '' ? '' : END_OF_LINK}\n`
    row = deeper + link
    taken = deeper.length
    gap = ''
  }
  for (const [word] of line.slice(start.length).matchAll(WORD_OR_SPACES)) {
    if (word.startsWith(' ')) {
      gap = word
      continue
    }
    const width = measureWidth(word)
    const isWide = deeper.length + width > columns
    const isBroken = isWide && !isWhole(word.replaceAll(OWN_SEQUENCES, ''))
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
    for (const [character, wide] of getCharacters(word)) {
      if (taken + wide > columns && taken > deeper.length) breakRow()
      row += character
      taken += wide
      link = openLinkAfter(character, link)
    }
  }
  return done + row
}

/** Yields the characters of a word with their widths. A colour has none. */
function* getCharacters(word: string): Generator<[string, number]> {
  for (const [piece] of word.matchAll(PIECES)) {
    if (piece.startsWith('\u001B')) yield [piece, 0]
    else for (const character of getGraphemes(piece)) yield [character, measureWidth(character)]
  }
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  const [first = '', ...rest] = line.split('\t')
  let expanded = first
  let taken = measureWidth(first)
  for (const part of rest) {
    const fill = TAB - (taken % TAB)
    expanded += ' '.repeat(fill) + part
    taken += fill + measureWidth(part)
  }
  return expanded
}

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** Terminals truncate or ignore longer addresses. */
const MAX_LENGTH = 2000

/**
 * Makes text a link (OSC 8) if its address is `http`, `https` or `mailto`. Otherwise returns it unchanged. A person sees only the text, so the
 * address must be shown beside it.
 */
export function linkTerminal(text: TerminalText, uri: string): TerminalText {
  const target = text === '' ? undefined : findTarget(uri)
  if (target === undefined) return text
  return toTerminalText(`\u001B]8;;${target}\u001B\\${text}${END_OF_LINK}`)
}

/** Returns the address in printable ASCII. */
function findTarget(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH || !URL.canParse(uri)) return undefined
  const { protocol, href } = new URL(uri)
  return SCHEMES.has(protocol) && /^[!-~]+$/.test(href) && href.length <= MAX_LENGTH
    ? href
    : undefined
}

/** They take no column, but are measured as one. */
const JOINER_OF_LETTERS = /(?<=[\p{L}\p{M}])[\u200C\u200D]/gu

/** The measuring library does not know all of them, for example the colour of an underline. */
const SEQUENCES = new RegExp(OWN_SEQUENCE, 'g')

/** Created on first use, because it reads its tables in 10 ms. */
let graphemes: Intl.Segmenter | undefined

/** Returns the columns of a line on a terminal. Wide characters take two, colours and links none. */
export function measureWidth(line: string): number {
  return measure(line.replaceAll(SEQUENCES, '').replaceAll(JOINER_OF_LETTERS, ''))
}

/** Yields the visible characters one by one. */
export function* getGraphemes(text: string): Generator<string> {
  graphemes ??= new Intl.Segmenter()
  for (const { segment } of graphemes.segment(text)) yield segment
}

/** Ends a link. */
const END_OF_LINK = '\u001B]8;;\u001B\\'
const LINKS = new RegExp(LINK, 'g')

/** Returns the sequence of the link that is open after a text; empty if there is none. */
function openLinkAfter(text: string, before: string): string {
  if (!text.includes('\u001B]8;;')) return before
  const last = [...text.matchAll(LINKS)].at(-1)
  return last?.[1] === undefined || last[1] === '' ? '' : last[0]
}
