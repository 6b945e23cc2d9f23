import type { TerminalText } from '@toolblocks/protocol'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { countOf } from '../../show/count-of.ts'
import type { LeftUnit } from '../../show/shown-part.ts'
import type { WriteContext } from './write-context.ts'

/** Says how much was left out, and how to see it. */
export function writeLeft(
  { count, unit }: { count: number; unit: LeftUnit },
  { style, columns, hints }: WriteContext,
): TerminalText {
  const several = unit === 'entry' ? 'entries' : `${unit}s`
  const how = hints.cut === undefined ? '' : ` (${hints.cut})`
  const left = countOf(count, `more ${unit}`, `more ${several}`)
  return wrapTerminal(style.dim(`… ${left}${how}`), columns)
}
