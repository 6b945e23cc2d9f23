import type { ContentBlock, JsonObject, TableValue } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { toJson } from './read-value.ts'

/** A larger table is cut, so that the text may show what the table does not. */
const MAX_ROWS = 30
const MAX_COLUMNS = 30
const MAX_TEXT = 20_000

/** A line that only draws: between the heading and the rows, or around the table. */
const DRAWN_LINE = /^[\s|:+=\-\u2500-\u257F]*$/

/** What stands between two cells of a line, and may stand at its ends. */
const BORDERS = /[|│┃║]/

/** Returns the text blocks that say only what a table says: a line for each row, with its cells in order, with or without the headings. */
export function findBlocksWithRows(
  content: readonly ContentBlock[],
  { data: { columns, rows } }: TableValue,
): ReadonlySet<ContentBlock> {
  const isSmall = rows.length > 0 && rows.length <= MAX_ROWS && columns.length <= MAX_COLUMNS
  const texts = content.flatMap((block) =>
    block.type === 'text' && block.text.length <= MAX_TEXT ? [block] : [],
  )
  if (!isSmall || texts.length === 0) return new Set()
  const body = rows.map((row) => columns.map(({ key }) => readCell(row, key)))
  const headings = [
    columns.map(({ key, label = key }) => label),
    columns.map(({ key }) => key),
  ].map((heading) => [heading, ...body])
  const tables = [body, ...headings]
  return new Set(
    texts.filter(({ text }) => {
      const lines = text.split(/\r?\n/).filter((line) => !DRAWN_LINE.test(line))
      return tables.some(
        (table) =>
          table.length === lines.length &&
          lines.every((line, index) => isRow(line, table[index] ?? [])),
      )
    }),
  )
}

/** Whether a line has exactly these cells: between borders, commas or tabs, or at least two blanks if no cell before another one is empty. */
function isRow(line: string, cells: readonly string[]): boolean {
  const inner = line.trim()
  if (BORDERS.test(inner)) {
    const parts = inner.split(BORDERS)
    const isFramed = parts[0] === '' && parts.at(-1) === ''
    return isSame(isFramed ? parts.slice(1, -1) : parts, cells)
  }
  if (line.includes('\t')) return isSame(line.split('\t'), cells)
  if (isSame(line.split(','), cells)) return true
  const count = cells.findLastIndex((cell) => cell !== '') + 1
  const filled = cells.slice(0, count)
  return !filled.includes('') && isSame(inner.split(/ {2,}/), filled)
}

function isSame(parts: readonly string[], cells: readonly string[]): boolean {
  return parts.length === cells.length && parts.every((part, index) => part.trim() === cells[index])
}

function readCell(row: JsonObject, key: string): string {
  const cell = getOwnField(row, key)
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? cell : (toJson(cell) ?? '')
}
