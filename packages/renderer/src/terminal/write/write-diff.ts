import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/compose-terminal.ts'
import { paint, type TerminalStyle } from '../../compose/terminal-style.ts'
import type { ShownChange, ShownPart } from '../../show/shown-part.ts'
import { withoutColors, type WriteContext } from './write-context.ts'
import { writeBesideGutter, writeCut } from './write-text.ts'

/** How a line of a diff looks: the sign before it, and its colour. */
const LOOK: Readonly<Record<ShownChange['change'], { sign: string; style: keyof TerminalStyle }>> =
  {
    added: { sign: '+', style: 'green' },
    removed: { sign: '-', style: 'red' },
    kept: { sign: ' ', style: 'plain' },
    hunk: { sign: '', style: 'cyan' },
    note: { sign: '', style: 'plain' },
  }

/** The lines of a diff behind the gutter, in our colours instead of the text's own. */
export function writeDiff(
  diff: Extract<ShownPart, { kind: 'diff' }>,
  context: WriteContext,
): TerminalText {
  return writeCut(diff, context, (changes) => {
    const lines = changes.map(({ change, text }) => {
      const { sign, style } = LOOK[change]
      return paint(withoutColors(`${sign}${text}`), style, context.colors)
    })
    return writeBesideGutter(joinTerminal(lines, '\n'), context, ' ')
  })
}
