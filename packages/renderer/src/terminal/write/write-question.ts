import type { TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/compose-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { revealOdd, revealOddInLine } from '../../sanitize/reveal-odd.ts'
import { sanitizeTerminalLine } from '../../sanitize/sanitize-terminal-line.ts'
import type { ShownPart } from '../../show/shown-part.ts'
import type { WriteContext } from './write-context.ts'
import { writeQuoted } from './text/write-text.ts'

/**
 * What a tool asks, in a line with its id; below it the whole text where a line cannot hold it. A person decides on it: nothing
 * in it hides, and an address is never cut.
 */
export function writeQuestion(
  question: Extract<ShownPart, { kind: 'question' }>,
  context: WriteContext,
): TerminalText {
  const { style, colors } = context
  const { id, first: text, isLine, url } = question
  const isShort = isLine && sanitizeTerminalLine(text) === revealOddInLine(text)
  const label = joinTerminal(
    [style.yellow('?'), style.bold(isShort ? text : 'Question'), style.dim(`(${id})`)],
    ' ',
  )
  const below = isShort ? [] : [writeQuoted(question, { ...context, sanitize: revealOdd })]
  const address =
    url === undefined
      ? []
      : [joinTerminal([style.dim('  answered at '), paint(revealOddInLine(url), 'cyan', colors)])]
  return joinTerminal(
    [label, ...below, ...address].map((line) => wrapTerminal(line, context.columns, '  ')),
    '\n',
  )
}
