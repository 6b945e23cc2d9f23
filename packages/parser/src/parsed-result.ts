import type { Problem, ToolResult } from '@toolblocks/protocol'
import type { Limit } from './reading.ts'

/** What came of reading a result. */
export interface ParsedResult {
  /** With `metadata.warnings` where there are any; never with an `id` or other metadata. */
  result: ToolResult
  /** What was skipped, repaired or moved (`WarningCode`): first the blocks in their order, then what is around them. */
  warnings: readonly Problem[]
  /**
   * Whether `result` says all that was read, so that the document can be written again from it. `false` for raw text,
   * with any warning, over a limit, and where a number past 2^53 lost digits: then the original bytes are worth keeping.
   */
  reversible: boolean
}

/** What came of reading a tool's output. */
export interface ParsedOutput extends ParsedResult {
  /** `blocks`: a `content` array. `outcome`: a document of the older dialect. `raw`: anything else, one text block. */
  format: 'blocks' | 'raw' | 'outcome'
  /** Present where the output broke a limit, so that only its head and tail were kept, as text. */
  truncated?: Truncation
}

/** How much of an output was kept. */
export interface Truncation {
  /** All bytes of the output (UTF-8, where it came as a string). */
  bytes: number
  /** The bytes of head and tail that are in the text. */
  kept: number
  /** The limit that was broken. */
  reason: Limit
}
