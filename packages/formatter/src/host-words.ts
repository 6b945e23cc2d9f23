import { readErrorDetails, skippedBlocks, type ToolResult } from '@toolblocks/protocol'
import { oneLine } from './one-line.ts'

/** For a result that is an error, one line that says so, and whether another try may help. */
export function describeFailure(result: ToolResult): string | undefined {
  if (!result.isError) return undefined
  const { transient } = readErrorDetails(result)
  const retry = transient ? ' The cause may pass: trying again may help.' : ''
  return `[The tool call ${describeEnd(result)}.${retry}]`
}

function describeEnd(result: ToolResult): string {
  switch (result.metadata?.outcome) {
    case 'denied':
      return 'was denied'
    case 'cancelled':
      return 'was cancelled'
    case 'timeout':
      return 'ran out of time'
    case 'unanswered':
      return 'ended with questions nobody answered'
    case 'completed':
    case 'failed':
    case undefined:
      return 'failed'
  }
}

const SHOWN = 3

/** For blocks that could not be read, one line that says how many and why. */
export function describeSkipped(result: ToolResult): string | undefined {
  const skipped = skippedBlocks(result)
  if (skipped.length === 0) return undefined
  const reasons = skipped.slice(0, SHOWN).map(({ message }) => oneLine(message))
  const more = skipped.length > SHOWN ? ['…'] : []
  const blocks = skipped.length === 1 ? '1 block' : `${skipped.length} blocks`
  return `[${blocks} of the tool's answer could not be read: ${[...reasons, ...more].join('; ')}]`
}
