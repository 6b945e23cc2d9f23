import type { TableColumn, TableValue, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { sanitizeTerminalLine } from '../../sanitize/sanitize-terminal-line.ts'
import { toTerminalText } from '../../terminal-text.ts'
import type { RenderContext } from '../render-context.ts'
import { countOf } from '../text/count-of.ts'
import { cutLine, padLine, widestOf } from '../text/fit-text.ts'
import { toJson } from './to-json.ts'

type Table = TableValue['data']

const MOST_COLUMNS = 30
const WIDEST_CELL = 40

/** Rows under columns; what is left out is counted. */
export function renderTable({ columns, rows }: Table, context: RenderContext): TerminalText {
  const { style, limits } = context
  const shownColumns = columns.slice(0, MOST_COLUMNS)
  const shownRows = rows.slice(0, limits.first)
  const remarks = [
    columns.length === 0 ? '(no columns)' : '',
    rows.length === 0 ? '(no rows)' : '',
    countLeft(rows.length - shownRows.length, 'more row'),
    countLeft(columns.length - shownColumns.length, 'more column'),
  ].filter((remark) => remark !== '')
  return joinTerminal(
    [
      ...linesOf(
        shownColumns.map((column) => layOut(column, shownRows, context)),
        columns.length === 0 ? 0 : shownRows.length + 2,
      ),
      ...remarks.map(style.dim),
    ],
    '\n',
  )
}

function linesOf(columns: readonly TerminalText[][], count: number): TerminalText[] {
  return Array.from({ length: count }, (_, line) => {
    const cells = columns.map((column) => column[line] ?? toTerminalText(''))
    return toTerminalText(joinTerminal(cells, '  ').trimEnd())
  })
}

/** A column from its label down, each cell as wide as the widest. */
function layOut(
  column: TableColumn,
  rows: Table['rows'],
  { style }: RenderContext,
): TerminalText[] {
  const { key, label = key, type, align = type === 'number' ? 'right' : 'left' } = column
  const title = cutLine(sanitizeTerminalLine(label), WIDEST_CELL)
  const cells = rows.map((row) => toCell(Object.hasOwn(row, key) ? row[key] : undefined))
  const width = widestOf([title, ...cells])
  const filled = [style.bold(title), ...cells].map((cell) => padLine(cell, width, align))
  return filled.toSpliced(1, 0, style.dim('─'.repeat(width)))
}

function toCell(value: unknown): TerminalText {
  const text = typeof value === 'string' ? value : value === null ? '' : (toJson(value) ?? '')
  return cutLine(sanitizeTerminalLine(text), WIDEST_CELL)
}

function countLeft(count: number, what: string): string {
  return count === 0 ? '' : `… ${countOf(count, what)}`
}
