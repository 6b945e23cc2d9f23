import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal } from '../../compose/indent-terminal.ts'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { sanitizeTerminalText } from '../../sanitize/sanitize-terminal-text.ts'
import type { RenderContext } from '../render-context.ts'
import { countOf } from './count-of.ts'
import { cutText } from './cut-text.ts'

/** Text from outside as it is, sanitized; what is cut off is said. */
export function renderText(text: string, context: RenderContext): TerminalText {
  const { first, left, last } = cutText(text, context.limits)
  const start = sanitizeTerminalText(first, context.sanitize)
  if (left === 0) return start
  const more = context.style.dim(`… ${countOf(left, 'more line')}`)
  const end = last === '' ? [] : [sanitizeTerminalText(last, context.sanitize)]
  return joinTerminal([...(first === '' ? [] : [start]), more, ...end], '\n')
}

/** Text behind a line at its left, so that a person sees where it ends. */
export function renderQuoted(text: string, context: RenderContext): TerminalText {
  const { style } = context
  return text === '' ? style.dim('  (empty)') : quote(renderText(text, context), context)
}

/** Puts the line at the left of what is rendered already. */
export function quote(text: TerminalText, { style }: RenderContext): TerminalText {
  return indentTerminal(text, style.dim('│ '))
}
