import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../../compose/compose-terminal.ts'
import { paint } from '../../../compose/terminal-style.ts'
import { wrapTerminal } from '../../../compose/wrap-terminal.ts'
import { countOf } from '../../../show/count-of.ts'
import type { ShownPart } from '../../../show/shown-part.ts'
import { withoutColors, type WriteContext } from '../write-context.ts'
import { writeBesideGutter, writeCut } from './write-text.ts'

/** What a tool printed on standard error beside its answer: that it is there, or all of it, dimmed. */
export function writeStderr(
  { lines, text }: Extract<ShownPart, { kind: 'stderr' }>,
  context: WriteContext,
): TerminalText {
  const { style, colors, hints, columns } = context
  const count = `${countOf(lines, 'line')} on standard error`
  if (text === undefined) {
    const how = hints.stderr === undefined ? '' : `; ${hints.stderr}`
    return wrapTerminal(style.dim(`(${count}${how})`), columns)
  }
  const quoted = writeCut(text, context, (part) => {
    const dimmed = part.split('\n').map((line) => paint(withoutColors(line), 'dim', colors))
    return writeBesideGutter(joinTerminal(dimmed, '\n'), context)
  })
  return joinTerminal([wrapTerminal(style.dim(`${count}:`), columns), quoted], '\n')
}
