import type { ContentBlock, ToolResult } from '@toolblocks/protocol'
import { error } from '../results/error.ts'
import { messageOf } from '../results/message-of.ts'
import { toResult } from '../results/returned.ts'

/** The result of a run that threw: what it had shown, why it ended, and the trace of its causes. */
export function failure(
  tool: string,
  thrown: unknown,
  shown: readonly ContentBlock[] = [],
): ToolResult {
  const message = `The tool ${JSON.stringify(tool)} failed: ${messageOf(thrown)}`
  return toResult(error(message, { cause: thrown }), shown)
}
