import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/compose-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import type { WriteContext } from './write-context.ts'

/** The line that stands for what is folded, and how to see it. */
export function writeFold(
  { summary }: Extract<ShownPart, { kind: 'fold' }>,
  { style, colors, sanitizeLine, columns, hints }: WriteContext,
): TerminalText {
  const how = hints.cut === undefined ? '' : `; ${hints.cut}`
  const line = [
    style.dim('▸'),
    paint(sanitizeLine(summary), 'bold', colors),
    style.dim(`(folded, as the tool asks${how})`),
  ]
  return wrapTerminal(joinTerminal(line, ' '), columns, '  ')
}
