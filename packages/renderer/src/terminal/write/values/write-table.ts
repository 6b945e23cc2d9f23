import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../../compose/compose-terminal.ts'
import { linkTerminal } from '../../../compose/link-terminal.ts'
import { paint } from '../../../compose/terminal-style.ts'
import type { LeftUnit, ShownPart } from '../../../show/shown-part.ts'
import { toTerminalText } from '../../../terminal-text.ts'
import { fitColumns } from '../text/fit-columns.ts'
import { cutLine, padLine, widestOf } from '../text/fit-text.ts'
import type { WriteContext } from '../write-context.ts'
import { writeLeft } from '../write-left.ts'
import { writeRecords } from './write-records.ts'

type Table = Extract<ShownPart, { kind: 'table' }>

const WIDEST_CELL = 40
const GAP = '  '

/**
 * Rows under columns, which shrink to the width there is; what is left out is counted. Where nothing may be cut and the columns
 * do not fit side by side, each row is its cells by name.
 */
export function writeTable(table: Table, context: WriteContext): TerminalText {
  const { columns, rows, left } = table
  const { style, extent } = context
  const laidOut = columns.map(({ label }, index) =>
    writeCells([label, ...rows.map((row) => row[index] ?? '')], context),
  )
  const fitted = fitColumns(laidOut.map(widestOf), context.columns, GAP.length)
  const isCut = fitted.some((width, index) => width < widestOf(laidOut[index] ?? []))
  if (extent === 'whole' && isCut) return writeRecords(laidOut, context)
  const fills = fitted.map((width, index) =>
    (laidOut[index] ?? []).map((cell, line) => {
      const text = cutLine(cell, width)
      const address = columns[index]?.type === 'url' ? rows[line - 1]?.[index] : undefined
      const isLinked = context.links === 'osc8' && address !== undefined
      const shown = isLinked ? linkTerminal(text, address) : text
      return padLine(shown, width, columns[index]?.align)
    }),
  )
  return joinTerminal(
    [
      ...linesOf(fills, columns.length === 0 ? 0 : rows.length + 1, context),
      ...(columns.length === 0 ? [style.dim('(no columns)')] : []),
      ...(rows.length + left.rows === 0 ? [style.dim('(no rows)')] : []),
      ...leftOf(left.rows, 'row', context),
      ...leftOf(left.columns + columns.length - fills.length, 'column', context),
    ],
    '\n',
  )
}

function writeCells(
  texts: readonly string[],
  { extent, sanitizeLine }: WriteContext,
): TerminalText[] {
  const widest = extent === 'whole' ? Infinity : WIDEST_CELL
  return texts.map((text) => cutLine(sanitizeLine(text), widest))
}

function leftOf(count: number, unit: LeftUnit, context: WriteContext): TerminalText[] {
  return count === 0 ? [] : [writeLeft({ count, unit }, context)]
}

/** The lines of a table: its labels, a rule, its rows. */
function linesOf(
  columns: readonly (readonly TerminalText[])[],
  count: number,
  { style, colors }: WriteContext,
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
