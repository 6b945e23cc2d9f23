import type { ContentBlock, TableValue } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { toJson } from './read-value.ts'

/** What texts draw a table with: blanks, lines and commas. */
const DRAWN = /[\s|,;:+=_*`"\p{Pd}\u2500-\u257F]+/u

/** Returns the text blocks that say only what a table says: its cells in order, with or without the headings. */
export function findBlocksWithRows(
  content: readonly ContentBlock[],
  { data: { columns, rows } }: TableValue,
): ReadonlySet<ContentBlock> {
  const texts = content.filter((block) => block.type === 'text')
  if (texts.length === 0 || rows.length === 0) return new Set()
  const cells = rows.flatMap((row) => columns.map(({ key }) => getOwnField(row, key)))
  const body = readWords(cells.map(readText).join(' '))
  const labels = readWords(columns.map(({ key, label = key }) => label).join(' '))
  const keys = readWords(columns.map(({ key }) => key).join(' '))
  const drawings = new Set([[], labels, keys].map((heading) => [...heading, ...body].join(' ')))
  return new Set(texts.filter(({ text }) => drawings.has(readWords(text).join(' '))))
}

function readText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? cell : (toJson(cell) ?? '')
}

function readWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(DRAWN)
    .filter((word) => word !== '')
}
