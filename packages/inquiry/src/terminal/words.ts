import type { RenderTerminalLine, TerminalText } from '@toolblocks/protocol'
import { wrapAnsi } from 'fast-wrap-ansi'
import { stripVTControlCharacters } from 'node:util'

/** Words of our own around text that was written for the terminal; a string from outside does not fit in. */
export function words(
  ours: TemplateStringsArray,
  ...theirs: readonly (TerminalText | number)[]
): TerminalText {
  return trusted(String.raw({ raw: ours }, ...theirs))
}

/** Puts texts for the terminal one after another. */
export function joinWords(
  parts: readonly TerminalText[],
  separator: '' | ', ' | '\n',
): TerminalText {
  return trusted(parts.join(separator))
}

function trusted(text: string): TerminalText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of nothing but our words and safe text
  return text as TerminalText
}

/** Graphemes that are rendered at once: a line may be cut, what a person decides on must not be. */
const PIECE = 50

const graphemes = new Intl.Segmenter()

/** Renders text that must be seen to its end. Printable text without long runs of blanks stays as it is. */
export function renderWhole(text: string, renderLine: RenderTerminalLine): TerminalText {
  const pieces: TerminalText[] = []
  let start = 0
  let count = 0
  for (const { index } of graphemes.segment(text)) {
    if (count === PIECE) {
      pieces.push(renderLine(text.slice(start, index)))
      start = index
      count = 0
    }
    count += 1
  }
  pieces.push(renderLine(text.slice(start)))
  return joinWords(pieces, '')
}

/** Columns of the bar beside everything that is asked. */
export const BAR = 3

const MIN_COUNT = 20

/** Puts what is typed into rows that fit beside the bar, each as full as it can be. */
export function wrapTyped(
  typed: string,
  { columns }: Pick<NodeJS.WriteStream, 'columns'>,
): readonly string[] {
  const width = Math.max(MIN_COUNT, columns - BAR)
  return wrapAnsi(typed, width, { hard: true, trim: false, wordWrap: false }).split('\n')
}

/** Puts lines into rows that fit beside the bar, between words; a longer word is broken. */
export function wrapWords(
  lines: readonly TerminalText[],
  { columns }: Pick<NodeJS.WriteStream, 'columns'>,
): readonly TerminalText[] {
  const width = Math.max(MIN_COUNT, columns - BAR)
  return lines.flatMap((line) => {
    const rows = wrapAnsi(line, width, { hard: true }).split('\n')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of text that is safe already
    return rows as TerminalText[]
  })
}

/** The line a prompt is known by. */
interface Headline {
  label: TerminalText
  /** `begun`: it is the beginning only, and the whole has to be shown above. */
  extent: 'whole' | 'begun'
}

/** Characters of a text that is longer than a line. */
const BEGINNING = 60

/** Makes a text the line of a prompt, as long as nothing of it is lost that way. */
export function getHeadline(text: string, renderLine: RenderTerminalLine): Headline {
  const line = renderLine(text)
  const isLine = !/[\r\n]/.test(text) && line === renderWhole(text, renderLine)
  if (isLine) return { label: line, extent: 'whole' }
  const [first = ''] = text.trim().split(/\r?\n/)
  const beginning = Array.from(first).slice(0, BEGINNING).join('')
  return { label: words`${renderLine(beginning)} …`, extent: 'begun' }
}

/** The rows a text takes at most: whatever is not ASCII is counted as wide. */
export function getRows(text: TerminalText, columns: number): number {
  return stripVTControlCharacters(text)
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(measureWidth(line) / columns)), 0)
}

function measureWidth(line: string): number {
  return line.length + (line.match(/[^\x20-\x7E]/g)?.length ?? 0)
}
