import { type Problem, readErrorDetails, type ToolResult } from '@toolblocks/protocol'
import type { ShowContext } from './context/show-context.ts'
import type { ShownPart } from './shown-part.ts'

const MOST_CAUSES = 100
const MOST_WARNINGS = 5

/** That a result is an error, and whether another try may help. */
export function showFailure(result: ToolResult): ShownPart {
  const { transient } = readErrorDetails(result)
  return { kind: 'failure', text: failureWords(result), transient }
}

/** How a call ended that failed. */
export function failureWords({ metadata }: ToolResult): string {
  switch (metadata?.outcome) {
    case 'denied':
      return metadata.skipped === true ? 'skipped' : 'denied'
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

/** The causes of an error, outermost first. */
export function showTrace(result: ToolResult, { cut }: ShowContext): ShownPart[] {
  const { trace } = readErrorDetails(result)
  if (trace.length === 0) return []
  const causes = trace
    .slice(0, MOST_CAUSES)
    .map((cause): ShownPart => ({ kind: 'cause', ...cut(cause) }))
  const count = trace.length - causes.length
  const left: ShownPart[] = count === 0 ? [] : [{ kind: 'left', count, unit: 'cause' }]
  return [{ kind: 'group', parts: [...causes, ...left] }]
}

/** What was skipped or repaired when the result was read: where, what, and what was expected and found. */
export function showWarnings({ metadata }: ToolResult, { extent }: ShowContext): ShownPart[] {
  const warnings = metadata?.warnings ?? []
  const shown = warnings.slice(0, extent === 'whole' ? Infinity : MOST_WARNINGS).map(showWarning)
  const count = warnings.length - shown.length
  return count === 0 ? shown : [...shown, { kind: 'left', count, unit: 'warning' }]
}

function showWarning(warning: Problem): ShownPart {
  const { path, message } = warning
  return { kind: 'warning', path, message, facts: factsBeside(warning) }
}

/** What the message has not said already. */
function factsBeside({ message, expected, got }: Problem): string[] {
  const said = message.toLowerCase()
  const isNew = (fact: string | undefined): fact is string =>
    fact !== undefined && !said.includes(fact.toLowerCase())
  return [
    ...(isNew(expected) ? [`expected ${expected}`] : []),
    ...(isNew(got) ? [`got ${got}`] : []),
  ]
}

/** What the tool printed on standard error. */
export function showStderr(
  { metadata }: ToolResult,
  view: 'name' | 'show',
  { cut }: ShowContext,
): ShownPart[] {
  const text = metadata?.['stderr']
  if (typeof text !== 'string' || text === '') return []
  const lines = text.replace(/\n$/, '').split('\n').length
  return [{ kind: 'stderr', lines, ...(view === 'show' && { text: cut(text) }) }]
}
