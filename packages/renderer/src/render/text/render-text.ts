import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal } from '../../compose/indent-terminal.ts'
import { joinTerminal } from '../../compose/join-terminal.ts'
import type { RenderContext } from '../render-context.ts'
import { countOf } from './count-of.ts'
import { cutText } from './cut-text.ts'

/** Text from outside, sanitized, and dressed if need be. What is cut off is said, and the remark is not dressed. */
export function renderText(
  text: string,
  context: RenderContext,
  dress: (shown: TerminalText) => TerminalText = (shown) => shown,
): TerminalText {
  const { first, left, last } = cutText(text, context.limits)
  const start = dress(context.sanitize(first))
  if (left === 0) return start
  const more = context.style.dim(`… ${countOf(left, 'more line')}`)
  const end = last === '' ? [] : [dress(context.sanitize(last))]
  return joinTerminal([start, more, ...end], '\n')
}

/** Text behind a line at its left, so that a person sees where it ends. */
export function renderQuoted(text: string, context: RenderContext): TerminalText {
  if (text === '') return context.style.dim('  (empty)')
  return renderText(text, context, (shown) => quote(shown, context))
}

/** Puts the line at the left of what is rendered already. */
export function quote(text: TerminalText, { style }: RenderContext): TerminalText {
  return indentTerminal(text, style.dim('│ '))
}
