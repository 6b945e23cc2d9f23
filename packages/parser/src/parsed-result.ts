import type { JsonObject, Problem, ToolResult } from '@toolblocks/protocol'
import type { Limit } from './reading.ts'
import type { WarningCode } from './warning-code.ts'

/** What came of reading a result. */
export interface ParsedResult {
  /** With `metadata.warnings` where there are any; never with an `id` or other metadata. */
  result: ToolResult
  /** What was skipped, repaired or moved (`WarningCode`): first the blocks in their order, then what is around them. */
  warnings: readonly Problem<WarningCode>[]
  /**
   * Whether `result` says all that was read, so that the document can be written again from it. `false` for raw text,
   * with any warning, over a limit, where a number past 2^53 lost digits, and where `null` stood for an absent field: then the original bytes are worth keeping.
   */
  reversible: boolean
}

/** What a server answered instead of the result of a call. */
export type UnfinishedResult =
  /** The server needs input (MCP 2026-07-28), or goes on with a task: `document` is what it said. */
  | { kind: 'input_required' | 'task'; document: JsonObject }
  /** A result of a type that is not known here; `resultType` is its name, for a person. */
  | { kind: 'unknown'; document: JsonObject; resultType: string }

/** What came of reading a server's answer to `tools/call`. */
export type ParsedServerResult = ({ kind: 'complete' } & ParsedResult) | UnfinishedResult

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
