import type { InputRequest, TerminalText } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { sanitizeTerminalLine } from '../../sanitize/sanitize-terminal-line.ts'
import type { RenderContext } from '../render-context.ts'
import { renderQuoted } from '../text/render-text.ts'

/** What a tool asks, in a line with its id; below it the whole text where a line cannot hold it. Without a tool's colours. */
export function renderQuestion(question: InputRequest, context: RenderContext): TerminalText {
  const { style } = context
  const { id, text, url } = question
  const isWhole = fitsInLine(text)
  const label = joinTerminal(
    [style.yellow('?'), style.bold(isWhole ? text : 'Question'), style.dim(`(${id})`)],
    ' ',
  )
  const plain: RenderContext = {
    ...context,
    sanitize: { colors: 'strip' },
    limits: context.wholeLimits,
  }
  const below = isWhole ? [] : [renderQuoted(text, plain)]
  const place =
    url === undefined ? [] : [joinTerminal([style.dim('  answered at '), style.cyan(url)])]
  return joinTerminal([label, ...below, ...place], '\n')
}

function fitsInLine(text: string): boolean {
  return sanitizeTerminalLine(text) === text
}
