import type { TextLimits } from './cut-text.ts'

/** The first of several, the number of those left out after them, and the last. */
export interface CutRows<Row> {
  first: readonly Row[]
  left: number
  last: readonly Row[]
}

/** Cuts what has a line each. */
export function cutRows<Row>(
  rows: readonly Row[],
  { first, last }: Pick<TextLimits, 'first' | 'last'>,
): CutRows<Row> {
  const left = rows.length - first - last
  // Saying that one line is left out takes as much room as the line.
  if (left <= 1) return { first: rows, left: 0, last: [] }
  return { first: rows.slice(0, first), left, last: rows.slice(rows.length - last) }
}
