import type { Problem, TerminalText, ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { renderLeft } from '../text/render-left.ts'

const MOST = 5

/** What was skipped or repaired when the result was read: where, what, and what was expected and found. */
export function renderWarnings(result: ToolResult, context: RenderContext): TerminalText[] {
  const warnings = result.metadata?.warnings ?? []
  const shown = warnings.slice(0, context.extent === 'whole' ? Infinity : MOST)
  const left = warnings.length - shown.length
  return [
    ...shown.map((warning) => renderWarning(warning, context)),
    ...(left === 0 ? [] : [renderLeft(left, 'more warning', context)]),
  ]
}

function renderWarning(warning: Problem, { style, columns }: RenderContext): TerminalText {
  const { path, message } = warning
  const parts = [
    style.yellow('!'),
    style.dim(path),
    style.plain(message),
    style.dim(describeMisfit(warning)),
  ]
  const line = joinTerminal(
    parts.filter((part) => part !== ''),
    ' ',
  )
  return wrapTerminal(line, columns, '  ')
}

/** What the message has not said already. */
function describeMisfit({ message, expected, got }: Problem): string {
  const said = message.toLowerCase()
  const facts = [
    expected === undefined || said.includes(expected.toLowerCase()) ? '' : `expected ${expected}`,
    got === undefined || said.includes(got.toLowerCase()) ? '' : `got ${got}`,
  ].filter((fact) => fact !== '')
  return facts.length === 0 ? '' : `(${facts.join(', ')})`
}
