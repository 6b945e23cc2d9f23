import type { TerminalText } from '@toolblocks/protocol'
import {
  indentTerminal,
  joinTerminal,
  sanitizeTerminalLine,
  wrapTerminal,
} from '@toolblocks/renderer'

/** The first row of a text in a width, in colours that end with it; what has more rows ends with `…`. */
export function firstRow(text: TerminalText, columns: number): TerminalText {
  const [row = '', ...more] = rowsOf(text, columns)
  if (more.length === 0 || columns === Infinity) return row || joinTerminal([])
  const [shorter = ''] = rowsOf(text, columns - 2)
  return joinTerminal([shorter || joinTerminal([]), sanitizeTerminalLine('…')], ' ')
}

/** The rows that a text takes in a width, each with its colours to itself. */
export function rowsOf(text: TerminalText, columns: number): readonly TerminalText[] {
  const rows = indentTerminal(wrapTerminal(text, Math.max(1, columns)), '').split('\n')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- rows of text that is safe already
  return rows as TerminalText[]
}
