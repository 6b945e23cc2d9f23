import { countCharacters, takeCodeUnits } from '@toolblocks/protocol/internal'

/** How much of a text is shown: lines at its start and at its end, and characters of a line. */
export interface TextLimits {
  first: number
  last: number
  lineLength: number
}

/** A text: its `first` lines, the number of omitted lines (`left`), and its `last` lines. */
export interface TruncatedText {
  first: string
  left: number
  last: string
}

/** Truncates a text that is not sanitized yet. A line feed at its end begins no line. */
export function truncateText(text: string, { first, last, lineLength }: TextLimits): TruncatedText {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  const ends = endOfLines(whole, first)
  const left = countLineFeeds(whole.slice(ends))
  const shorten = (lines: string): string => shortenLines(lines, lineLength)
  // A note about one omitted line takes as much room as the line.
  if (left <= last + 1) return { first: shorten(whole), left: 0, last: '' }
  const tail = startOfLines(whole, last)
  return {
    first: shorten(whole.slice(0, ends)),
    left: left - last,
    last: shorten(whole.slice(tail)),
  }
}

/** Returns where the first `count` lines end, before their line feed. */
function endOfLines(text: string, count: number): number {
  let end = -1
  for (let line = 0; line < count; line += 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return text.length
  }
  return Math.max(0, end)
}

/** Returns where the last `count` lines start. */
function startOfLines(text: string, count: number): number {
  let start = text.length
  for (let line = 0; line < count; line += 1) start = text.lastIndexOf('\n', start - 1)
  return Math.min(text.length, start + 1)
}

function countLineFeeds(text: string): number {
  let count = 0
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1))
    count += 1
  return count
}

function shortenLines(text: string, length: number): string {
  if (text.length <= length) return text
  return text
    .split('\n')
    .map((line) => shortenLine(line, length))
    .join('\n')
}

/** The omitted part is counted on a line of its own: its line feed ends any sequence that would swallow the count. */
function shortenLine(line: string, length: number): string {
  if (line.length <= length) return line
  const start = takeCodeUnits(line, length)
  return `${start}\n…(+${countCharacters(line.slice(start.length))})`
}

/** Rows of a kind: the `first` ones, the number of omitted ones (`left`), and the `last` ones. */
export interface TruncatedRows<Row> {
  first: readonly Row[]
  left: number
  last: readonly Row[]
}

/** Truncates rows of one line each. */
export function truncateRows<Row>(
  rows: readonly Row[],
  { first, last }: Pick<TextLimits, 'first' | 'last'>,
): TruncatedRows<Row> {
  const left = rows.length - first - last
  // A note about one omitted line takes as much room as the line.
  if (left <= 1) return { first: rows, left: 0, last: [] }
  return { first: rows.slice(0, first), left, last: rows.slice(rows.length - last) }
}
