import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../../compose/compose-terminal.ts'
import { linkTerminal } from '../../../compose/link-terminal.ts'
import { paint } from '../../../compose/terminal-style.ts'
import { wrapTerminal } from '../../../compose/wrap-terminal.ts'
import type { WriteContext } from '../write-context.ts'

/** One line where there is room: what something is called, and what else is known of it. */
export function writeFacts(
  { name, facts, uri }: { name: string; facts: readonly string[]; uri?: string },
  { sanitizeLine, colors, columns, links }: WriteContext,
): TerminalText {
  const details = joinTerminal(facts.map(sanitizeLine), ' · ')
  const title = paint(sanitizeLine(name), 'bold', colors)
  const parts = [
    uri !== undefined && links === 'osc8' ? linkTerminal(title, uri) : title,
    paint(details, 'dim', colors),
  ]
  const line = joinTerminal(
    parts.filter((part) => part !== ''),
    '  ',
  )
  return wrapTerminal(line, columns, '  ')
}
