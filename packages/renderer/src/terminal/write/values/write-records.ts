import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../../compose/compose-terminal.ts'
import { paint } from '../../../compose/terminal-style.ts'
import { wrapTerminal } from '../../../compose/wrap-terminal.ts'
import type { WriteContext } from '../write-context.ts'

/** Columns from their labels down, told row by row: each cell behind its label. */
export function writeRecords(
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
