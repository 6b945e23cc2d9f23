import type { TerminalText, ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { countOf } from '../text/count-of.ts'

const MOST = 5

/** What was skipped or repaired when the result was read, one line each. */
export function renderWarnings(result: ToolResult, { style }: RenderContext): TerminalText[] {
  const warnings = result.metadata?.warnings ?? []
  const shown = warnings.slice(0, MOST).map(({ path, message }) =>
    joinTerminal(
      [style.yellow('!'), style.dim(path), style.plain(message)].filter((part) => part !== ''),
      ' ',
    ),
  )
  const left = warnings.length - shown.length
  return left === 0 ? shown : [...shown, style.dim(`… ${countOf(left, 'more warning')}`)]
}
