import {
  createErrorResult,
  MAX_OUTPUT_BYTES,
  META_RE,
  sizeInWords,
  type ToolResult,
} from '@toolblocks/protocol'
import { messageOf } from '../results/message-of.ts'

/** A result as one line of JSON. What JSON cannot carry, or a host would not read, becomes an error result. */
export function writeResult(result: ToolResult, seq?: number): string {
  const line = tryWrite(result, seq)
  const { _meta: meta } = result
  return typeof line === 'string'
    ? line
    : JSON.stringify(
        withSeq({ ...createErrorResult(line.problem), ...(meta && { _meta: meta }) }, seq),
      )
}

function tryWrite(result: ToolResult, seq: number | undefined): string | { problem: string } {
  try {
    const line = JSON.stringify(withSeq(result, seq))
    const bytes = Buffer.byteLength(line)
    if (bytes <= MAX_OUTPUT_BYTES) return line
    return {
      problem: `The result of the tool has ${sizeInWords(bytes)}; a host reads ${sizeInWords(MAX_OUTPUT_BYTES)}. Ask for less at once.`,
    }
  } catch (thrown) {
    return { problem: `The result of the tool is no JSON: ${messageOf(thrown)}` }
  }
}

function withSeq(result: ToolResult, seq: number | undefined): ToolResult {
  const { _meta: meta } = result
  return seq === undefined ? result : { ...result, _meta: { ...meta, [META_RE]: seq } }
}
