import type { TerminalText } from '@toolblocks/protocol'
import { indentTerminal, joinTerminal } from '../../../compose/compose-terminal.ts'
import { wrapTerminal } from '../../../compose/wrap-terminal.ts'
import type { CutText } from '../../../show/cut-text.ts'
import type { WriteContext } from '../write-context.ts'
import { writeLeft } from '../write-left.ts'

/** Text from outside, sanitized. What is cut off is said. */
export function writeText(text: CutText, context: WriteContext): TerminalText {
  return writeCut(text, context, (part) => wrapTerminal(context.sanitize(part), context.columns))
}

/** Text behind a line at its left, so that a person sees where it ends. */
export function writeQuoted(text: CutText, context: WriteContext): TerminalText {
  return writeCut(text, context, (part) => writeBesideGutter(context.sanitize(part), context))
}

export const GUTTER = '│ '

/** Puts the line at the left of what is safe already, as wide as there is room; further rows of a line stand behind `hang`. */
export function writeBesideGutter(
  text: TerminalText,
  { style, columns }: Pick<WriteContext, 'style' | 'columns'>,
  hang = '',
): TerminalText {
  const wrapped = wrapTerminal(text, Math.max(1, columns - GUTTER.length), hang)
  return indentTerminal(wrapped, style.dim(GUTTER))
}

/** The first part, the count of what is left out, and the last part, each written alike. */
export function writeCut<Part extends string | readonly unknown[]>(
  { first, left, last }: { first: Part; left: number; last: Part },
  context: WriteContext,
  write: (part: Part) => TerminalText,
): TerminalText {
  if (left === 0) return write(first)
  const end = last.length === 0 ? [] : [write(last)]
  return joinTerminal(
    [write(first), writeLeft({ count: left, unit: 'line' }, context), ...end],
    '\n',
  )
}
