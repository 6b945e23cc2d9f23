import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal, linkTerminal, wrapTerminal } from '../compose/compose-terminal.ts'
import { paint } from '../compose/terminal-style.ts'
import { toTerminalText } from '../sanitize/terminal-text.ts'
import type { OmittedUnit, ShownPart } from '../show/shown-part.ts'
import { type WriteContext, renderOmitted } from './terminal-context.ts'
import { cutLine, padLine, getWidest } from './render-text.ts'

const MAX_CELL_WIDTH = 40
const GAP = '  '

/**
 * Renders rows with columns, which shrink to the available width. Omitted ones are counted. If nothing may be truncated and the columns do not fit,
 * each row becomes a list of its cells by name.
 */
export function renderTable(
  table: Extract<ShownPart, { kind: 'table' }>,
  context: WriteContext,
): TerminalText {
  const { columns, rows, left } = table
  const { style, extent } = context
  const laidOut = columns.map(({ label }, index) =>
    renderCells([label, ...rows.map((row) => row[index] ?? '')], context),
  )
  const fitted = fitColumns(laidOut.map(getWidest), context.columns, GAP.length)
  const isCut = fitted.some((width, index) => width < getWidest(laidOut[index] ?? []))
  if (extent === 'whole' && isCut) return renderRecords(laidOut, context)
  const fills = fitted.map((width, index) =>
    (laidOut[index] ?? []).map((cell, line) => {
      const text = cutLine(cell, width)
      const address = columns[index]?.type === 'url' ? rows[line - 1]?.[index] : undefined
      const isLinked = context.links === 'osc8' && address !== undefined
      const content = isLinked ? linkTerminal(text, address) : text
      return padLine(content, width, columns[index]?.align)
    }),
  )
  return joinTerminal(
    [
      ...renderLines(fills, columns.length === 0 ? 0 : rows.length + 1, context),
      ...(columns.length === 0 ? [style.dim('(no columns)')] : []),
      ...(rows.length + left.rows === 0 ? [style.dim('(no rows)')] : []),
      ...renderLeft(left.rows, 'row', context),
      ...renderLeft(left.columns + columns.length - fills.length, 'column', context),
    ],
    '\n',
  )
}

function renderCells(
  texts: readonly string[],
  { extent, sanitizeLine }: WriteContext,
): TerminalText[] {
  const widest = extent === 'whole' ? Infinity : MAX_CELL_WIDTH
  return texts.map((text) => cutLine(sanitizeLine(text), widest))
}

function renderLeft(count: number, unit: OmittedUnit, context: WriteContext): TerminalText[] {
  return count === 0 ? [] : [renderOmitted({ count, unit }, context)]
}

/** Renders the lines of a table: labels, rule, rows. */
function renderLines(
  columns: readonly (readonly TerminalText[])[],
  count: number,
  { style, colors }: WriteContext,
): TerminalText[] {
  const lines = Array.from({ length: count }, (_, line) =>
    columns.map((column) => column[line] ?? toTerminalText('')),
  )
  const [labels, ...cells] = lines
  if (!labels) return []
  const rules = labels.map((label) => style.dim('─'.repeat(getWidest([label]))))
  const bold = labels.map((label) => paint(label, 'bold', colors))
  return [bold, rules, ...cells].map((line) => toTerminalText(joinTerminal(line, GAP).trimEnd()))
}

/** Renders a table row by row, each cell after its label. */
function renderRecords(
  columns: readonly (readonly TerminalText[])[],
  { columns: width, colors }: WriteContext,
): TerminalText {
  const count = Math.max(0, ...columns.map((cells) => cells.length - 1))
  const rows = Array.from({ length: count }, (_, row) =>
    joinTerminal(
      columns.map(([label = joinTerminal([]), ...cells]) => {
        const cell = joinTerminal(
          [paint(label, 'bold', colors), cells[row] ?? joinTerminal([])],
          ': ',
        )
        return wrapTerminal(cell, width, '  ')
      }),
      '\n',
    ),
  )
  return joinTerminal(rows, '\n\n')
}

/** Minimum width of a column. */
const MIN_WIDTH = 4

/**
 * Returns the widths of columns side by side in a line. The widest shrink first, all to the same width. Columns at the end without room have none.
 */
function fitColumns(widths: readonly number[], line: number, gap: number): readonly number[] {
  const needed = getSum(widths) + gap * Math.max(0, widths.length - 1)
  if (needed <= line) return widths
  const least = getSum(widths.map((width) => Math.min(width, MIN_WIDTH)))
  if (widths.length > 1 && least + gap * (widths.length - 1) > line)
    return fitColumns(widths.slice(0, -1), line, gap)
  const room = line - gap * (widths.length - 1)
  const most = widestThatFits(widths, room)
  return widths.map((width) => Math.min(width, most))
}

/** Distributes the room from the narrowest column up: unused room is shared by the rest. */
function widestThatFits(widths: readonly number[], room: number): number {
  let left = room
  const sorted = widths.toSorted((one, other) => one - other)
  for (const [index, width] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index))
    if (width > share) return share
    left -= width
  }
  return Infinity
}

function getSum(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}
