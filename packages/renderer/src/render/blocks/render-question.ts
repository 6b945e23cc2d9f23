import type { InputRequest, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { paint } from '../../compose/terminal-style.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { collapseBlanks } from '../../sanitize/collapse-blanks.ts'
import { revealOdd, revealOddInLine } from '../../sanitize/reveal-odd.ts'
import { sanitizeTerminalLine } from '../../sanitize/sanitize-terminal-line.ts'
import type { RenderContext } from '../render-context.ts'
import { renderQuoted } from '../text/render-text.ts'

/** Blanks in a row that are shown of a text of several lines: enough to indent. */
const BLANKS = 20

/**
 * What a tool asks, in a line with its id; below it the whole text where a line cannot hold it. A person decides on it: nothing
 * in it hides, and an address is never cut.
 */
export function renderQuestion(question: InputRequest, context: RenderContext): TerminalText {
  const { style, colors, wholeLimits } = context
  const { id, text, url } = question
  const isShort = !text.includes('\n') && sanitizeTerminalLine(text) === revealOddInLine(text)
  const label = joinTerminal(
    [style.yellow('?'), style.bold(isShort ? text : 'Question'), style.dim(`(${id})`)],
    ' ',
  )
  const revealing: RenderContext = { ...context, sanitize: revealOdd, limits: wholeLimits }
  const below = isShort ? [] : [renderQuoted(collapseBlanks(text, BLANKS), revealing)]
  const place =
    url === undefined
      ? []
      : [joinTerminal([style.dim('  answered at '), paint(revealOddInLine(url), 'cyan', colors)])]
  const lines = [label, ...below, ...place]
  return joinTerminal(
    lines.map((line) => wrapTerminal(line, context.columns, '  ')),
    '\n',
  )
}
