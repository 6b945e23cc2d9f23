import { readErrorDetails, type TerminalText, type ToolResult } from '@toolblocks/protocol'
import { joinTerminal } from '../../compose/join-terminal.ts'
import { indentTerminal } from '../../compose/indent-terminal.ts'
import { toTerminalText } from '../../terminal-text.ts'
import type { RenderContext } from '../render-context.ts'
import { countOf } from '../text/count-of.ts'
import { renderText } from '../text/render-text.ts'

/** For a result that is an error, one line that says so, and whether another try may help. */
export function describeFailure(result: ToolResult, { style }: RenderContext): TerminalText {
  const { transient } = readErrorDetails(result)
  const retry = transient ? [style.dim('trying again may help')] : []
  return joinTerminal([style.red(`✗ ${describeEnd(result)}`), ...retry], '  ')
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
  const more = left === 0 ? [] : [context.style.dim(`… ${countOf(left, 'more cause')}`)]
  return joinTerminal([...causes, ...more], '\n')
}

function renderCause(cause: string, context: RenderContext): TerminalText {
  const text = indentTerminal(renderText(cause, context), INDENT)
  return joinTerminal([context.style.dim('caused by: '), toTerminalText(text.slice(INDENT.length))])
}
