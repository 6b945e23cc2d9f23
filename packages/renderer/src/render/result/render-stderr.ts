import type { TerminalText, ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { type RenderContext, withoutColors } from '../render-context.ts'
import { countOf } from '../text/count-of.ts'
import { renderQuoted } from '../text/render-text.ts'

/** What a tool printed on standard error beside its answer: that it is there, or all of it, dimmed. */
export function renderStderr(
  { metadata }: ToolResult,
  view: 'name' | 'show',
  context: RenderContext,
): TerminalText {
  const { style, colors, hints, columns } = context
  const text = metadata?.['stderr']
  if (typeof text !== 'string' || text === '') return joinTerminal([])
  const lines = text.replace(/\n$/, '').split('\n').length
  const count = `${countOf(lines, 'line')} on standard error`
  if (view === 'name') {
    const how = hints.stderr === undefined ? '' : `; ${hints.stderr}`
    return wrapTerminal(style.dim(`(${count}${how})`), columns)
  }
  const plain: RenderContext = { ...context, sanitize: withoutColors }
  const paintLine = (line: string): TerminalText => paint(withoutColors(line), 'dim', colors)
  const quoted = renderQuoted(text, plain, {
    paint: (shown) => joinTerminal(shown.split('\n').map(paintLine), '\n'),
    hang: '',
  })
  return joinTerminal([style.dim(`${count}:`), quoted], '\n')
}
