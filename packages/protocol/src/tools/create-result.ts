import type { ContentBlock } from '../content/content-block.ts'
import type { Outcome, ResultMetadata, ToolResult } from './tool-result.ts'

/** Makes the result of a call that worked. */
export function createSuccessResult(
  content: readonly ContentBlock[],
  id?: string,
  metadata?: ResultMetadata,
): ToolResult {
  return { ...(id !== undefined && { id }), content, isError: false, ...(metadata && { metadata }) }
}

/** Makes the result of a call that failed; a string becomes one text block. */
export function createErrorResult(
  input: string | readonly ContentBlock[],
  id?: string,
  metadata?: ResultMetadata,
): ToolResult {
  const content: readonly ContentBlock[] =
    typeof input === 'string' ? [{ type: 'text', text: input }] : input
  return { ...(id !== undefined && { id }), content, isError: true, ...(metadata && { metadata }) }
}

/** Makes the result of a call that failed, or ended otherwise, before it is known whose it is: the executor adds the id. */
export function createFailure(
  input: string | readonly ContentBlock[],
  outcome: Exclude<Outcome, 'completed'> = 'failed',
): ToolResult {
  return createErrorResult(input, undefined, { outcome })
}
