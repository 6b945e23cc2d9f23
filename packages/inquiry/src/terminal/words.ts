import type { RenderTerminalLine, TerminalText } from '@toolblocks/protocol'
import { wrapAnsi } from 'fast-wrap-ansi'
import { stripVTControlCharacters, styleText } from 'node:util'

/** Combines fixed text with text that was rendered for the terminal. The type rejects untrusted strings. */
export function terminalText(
  ours: TemplateStringsArray,
  ...theirs: readonly (TerminalText | number)[]
): TerminalText {
  return trusted(String.raw({ raw: ours }, ...theirs))
}

/** Concatenates texts for the terminal. */
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

/** Graphemes that are rendered together. A line may be truncated, but the content of a decision must not be. */
const PIECE = 50

const graphemes = new Intl.Segmenter()

/** Renders text that must be visible to its end. Printable text without long runs of blanks does not change. */
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

/** Columns of the bar beside all prompts. */
export const BAR = 3

/** Joins rows with the bar of a prompt between them. */
export function besideBar(rows: readonly string[]): string {
  return rows.join(`\n${styleText('gray', '│')}  `)
}

/** A narrower terminal shows one word in several rows. */
const MIN_COUNT = 8

/** Wraps typed text into rows that fit beside the bar, each as full as possible. */
export function wrapTyped(
  typed: string,
  { columns }: Pick<NodeJS.WriteStream, 'columns'>,
): readonly string[] {
  const width = Math.max(MIN_COUNT, columns - BAR)
  return wrapAnsi(typed, width, { hard: true, trim: false, wordWrap: false }).split('\n')
}

/** Wraps lines into rows that fit beside the bar, between words. A longer word is broken. */
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

/** The line that identifies a prompt. */
interface Headline {
  label: TerminalText
  /** `begun`: it is only the beginning, and the complete text is shown above. */
  extent: 'whole' | 'begun'
}

/** Characters of a text that is longer than a line. */
const BEGINNING = 60

/** Converts a text into the line of a prompt, if nothing is lost. */
export function getHeadline(text: string, renderLine: RenderTerminalLine): Headline {
  const line = renderLine(text)
  const isLine = !/[\r\n]/.test(text) && line === renderWhole(text, renderLine)
  if (isLine) return { label: line, extent: 'whole' }
  const [first = ''] = text.trim().split(/\r?\n/)
  const beginning = Array.from(first).slice(0, BEGINNING).join('')
  return { label: terminalText`${renderLine(beginning)} …`, extent: 'begun' }
}

/** Returns the maximum number of rows of a text. Every character that is not ASCII counts as wide. */
export function getRows(text: TerminalText, columns: number): number {
  return stripVTControlCharacters(text)
    .split('\n')
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(measureWidth(line) / columns)), 0)
}

function measureWidth(line: string): number {
  return line.length + (line.match(/[^\x20-\x7E]/g)?.length ?? 0)
}
