import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { sanitizeTerminalLine } from '../../sanitize/sanitize-terminal-line.ts'
import type { RenderContext } from '../render-context.ts'

/** One line: what something is called, and what else is known of it. */
export function renderFacts(
  name: string,
  facts: readonly (string | undefined)[],
  { style, colors }: RenderContext,
): TerminalText {
  const known = facts.flatMap((fact) => (fact === undefined || fact === '' ? [] : [fact]))
  const details = joinTerminal(known.map(sanitizeTerminalLine), ' · ')
  const parts = [style.bold(name), paint(details, 'dim', colors)]
  return joinTerminal(
    parts.filter((part) => part !== ''),
    '  ',
  )
}
