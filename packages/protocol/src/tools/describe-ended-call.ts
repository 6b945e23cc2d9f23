import { nameInWords } from '../text/name-in-words.ts'
import { createFailure } from './create-result.ts'
import type { ToolResult } from './tool-result.ts'

const STANDS = 'The call was ended; what it had done before stands.'

/** The result of a live call that was ended: why, that what it did before stands, and its last words. */
export function describeEndedCall(reason: ToolResult, lastWords?: ToolResult): ToolResult {
  const warnings = [...(reason.metadata?.warnings ?? []), ...(lastWords?.metadata?.warnings ?? [])]
  return {
    ...reason,
    content: [...reason.content, { type: 'text', text: STANDS }, ...(lastWords?.content ?? [])],
    metadata: { ...reason.metadata, ...(warnings.length > 0 && { warnings }) },
  }
}

/** Why a live call that was given so many inputs is ended. */
export function tooManyInteractions(tool: string, count: number): ToolResult {
  const most = count.toLocaleString('en')
  return createFailure(
    `The tool ${nameInWords(tool)} was given ${most} inputs or answers, which is as many as one live call takes.`,
  )
}
