import { readErrorDetails, type TerminalText, type ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { indentTerminal } from '../../compose/indent-terminal.ts'
import { toTerminalText } from '../../terminal-text.ts'
import { wrapTerminal } from '../../compose/wrap-terminal.ts'
import { narrow, type RenderContext } from '../render-context.ts'
import { renderLeft } from '../text/render-left.ts'
import { renderText } from '../text/render-text.ts'

/** For a result that is an error, one line that says so, and whether another try may help. */
export function describeFailure(
  result: ToolResult,
  { style, columns }: RenderContext,
): TerminalText {
  const { transient } = readErrorDetails(result)
  const retry = transient ? [style.dim('trying again may help')] : []
  const line = joinTerminal([style.red(`✗ ${describeEnd(result)}`), ...retry], '  ')
  return wrapTerminal(line, columns, '  ')
}

function describeEnd(result: ToolResult): string {
  switch (result.metadata?.outcome) {
    case 'denied':
      return 'denied'
    case 'cancelled':
      return 'cancelled'
    case 'timeout':
      return 'timed out'
    case 'unanswered':
      return 'unanswered: the tool asked, and there was nobody to answer'
    case 'completed':
    case 'failed':
    case undefined:
      return 'failed'
  }
}

const INDENT = ' '.repeat('caused by: '.length)
const MOST_CAUSES = 100

/** The causes of an error, outermost first. */
export function renderTrace(result: ToolResult, context: RenderContext): TerminalText {
  const { trace } = readErrorDetails(result)
  const causes = trace.slice(0, MOST_CAUSES).map((cause) => renderCause(cause, context))
  const left = trace.length - causes.length
  const more = left === 0 ? [] : [renderLeft(left, 'more cause', context)]
  return joinTerminal([...causes, ...more], '\n')
}

function renderCause(cause: string, context: RenderContext): TerminalText {
  const text = indentTerminal(renderText(cause, narrow(context, INDENT.length)), INDENT)
  return joinTerminal([context.style.dim('caused by: '), toTerminalText(text.slice(INDENT.length))])
}
