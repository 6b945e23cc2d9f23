import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import type { RenderContext } from '../render-context.ts'

/** One line where there is room: what something is called, and what else is known of it. */
export function renderFacts(
  name: string,
  facts: readonly (string | undefined)[],
  { sanitizeLine, colors, columns }: RenderContext,
): TerminalText {
  const known = facts.flatMap((fact) => (fact === undefined || fact === '' ? [] : [fact]))
  const details = joinTerminal(known.map(sanitizeLine), ' · ')
  const parts = [paint(sanitizeLine(name), 'bold', colors), paint(details, 'dim', colors)]
  const line = joinTerminal(
    parts.filter((part) => part !== ''),
    '  ',
  )
  return wrapTerminal(line, columns, '  ')
}
