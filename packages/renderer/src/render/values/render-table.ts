import type { TableColumn, TableValue, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { toTerminalText } from '../../terminal-text.ts'
import type { RenderContext } from '../render-context.ts'
import { cutLine, padLine, widestOf } from '../text/fit-text.ts'
import { renderLeft } from '../text/render-left.ts'
import { fitColumns } from './fit-columns.ts'
import { renderRecords } from './render-records.ts'
import { toJson } from './to-json.ts'

type Table = TableValue['data']
type Row = Table['rows'][number]

const MOST_COLUMNS = 30
const WIDEST_CELL = 40
const GAP = '  '

/**
 * Rows under columns, which shrink to the width there is; what is left out is counted. Where nothing may be cut and the columns
 * do not fit side by side, each row is its cells by name.
 */
export function renderTable({ columns, rows }: Table, context: RenderContext): TerminalText {
  const { style, limits, extent } = context
  const isWhole = extent === 'whole'
  const shownRows = rows.slice(0, limits.first + limits.last)
  const widest = isWhole ? Infinity : WIDEST_CELL
  const laidOut = columns
    .slice(0, isWhole ? Infinity : MOST_COLUMNS)
    .map((column) => toCells(column, { rows: shownRows, widest, context }))
  const fitted = fitColumns(laidOut.map(widestOf), context.columns, GAP.length)
  if (isWhole && fitted.some((width, index) => width < widestOf(laidOut[index] ?? [])))
    return renderRecords(laidOut, context)
  const fills = fitted.map((width, index) => fill(laidOut[index] ?? [], columns[index], width))
  const left = columns.length - fills.length
  return joinTerminal(
    [
      ...linesOf(fills, columns.length === 0 ? 0 : shownRows.length + 1, context),
      ...(columns.length === 0 ? [style.dim('(no columns)')] : []),
      ...(rows.length === 0 ? [style.dim('(no rows)')] : []),
      ...leftOf(rows.length - shownRows.length, 'more row', context),
      ...leftOf(left, 'more column', context),
    ],
    '\n',
  )
}

function leftOf(count: number, what: string, context: RenderContext): TerminalText[] {
  return count === 0 ? [] : [renderLeft(count, what, context)]
}

/** The lines of a table: its labels, a rule, its rows. */
function linesOf(
  columns: readonly (readonly TerminalText[])[],
  count: number,
  { style, colors }: RenderContext,
): TerminalText[] {
  const lines = Array.from({ length: count }, (_, line) =>
    columns.map((column) => column[line] ?? toTerminalText('')),
  )
  const [labels, ...cells] = lines
  if (!labels) return []
  const rules = labels.map((label) => style.dim('─'.repeat(widestOf([label]))))
  const bold = labels.map((label) => paint(label, 'bold', colors))
  return [bold, rules, ...cells].map((line) => toTerminalText(joinTerminal(line, GAP).trimEnd()))
}

/** A column from its label down, each cell as wide as the column. */
function fill(
  cells: readonly TerminalText[],
  column: TableColumn | undefined,
  width: number,
): TerminalText[] {
  const align = column?.align ?? (column?.type === 'number' ? 'right' : 'left')
  return cells.map((cell) => padLine(cutLine(cell, width), width, align))
}

function toCells(
  { key, label = key }: TableColumn,
  { rows, widest, context }: { rows: readonly Row[]; widest: number; context: RenderContext },
): TerminalText[] {
  const texts = [
    label,
    ...rows.map((row) => textOf(Object.hasOwn(row, key) ? row[key] : undefined)),
  ]
  return texts.map((text) => cutLine(context.sanitizeLine(text), widest))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : (toJson(value) ?? '')
}
