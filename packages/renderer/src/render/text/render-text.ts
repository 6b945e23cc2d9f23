import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal } from '../../compose/indent-terminal.ts'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { narrow, type RenderContext } from '../render-context.ts'
import { cutText } from './cut-text.ts'
import { renderLeft } from './render-left.ts'

/** Text from outside, sanitized. What is cut off is said. */
export function renderText(text: string, context: RenderContext): TerminalText {
  return renderCut(text, context, (part) => wrapTerminal(context.sanitize(part), context.columns))
}

/** How lines behind a gutter look: their colours, and what further rows of a line stand behind. */
export interface QuotedLook {
  paint: (shown: TerminalText) => TerminalText
  hang: string
}

/** Text behind a line at its left, so that a person sees where it ends. */
export function renderQuoted(
  text: string,
  context: RenderContext,
  look: QuotedLook = { paint: (shown) => shown, hang: '' },
): TerminalText {
  if (text === '') return context.style.dim('  (empty)')
  return renderCut(text, context, (part) =>
    quote(look.paint(context.sanitize(part)), context, look.hang),
  )
}

const GUTTER = '│ '

/** Puts the line at the left of what is rendered already, as wide as there is room. */
function quote(text: TerminalText, context: RenderContext, hang = ''): TerminalText {
  const wrapped = wrapTerminal(text, narrow(context, GUTTER.length).columns, hang)
  return indentTerminal(wrapped, context.style.dim(GUTTER))
}

function renderCut(
  text: string,
  context: RenderContext,
  show: (part: string) => TerminalText,
): TerminalText {
  const { first, left, last } = cutText(text, context.limits)
  if (left === 0) return show(first)
  const end = last === '' ? [] : [show(last)]
  return joinTerminal([show(first), renderLeft(left, 'more line', context), ...end], '\n')
}
