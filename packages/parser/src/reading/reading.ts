import type { JsonObject, Problem, ToolResult } from '@toolblocks/protocol'

/** The origin of a result. An MCP server has no questions; a local tool cannot serve links. */
export type ResultSource = 'mcp' | 'tool'

/** A limit of `@toolblocks/protocol` that a document can exceed: its size, nesting, values or blocks. */
export type OutputLimit = 'bytes' | 'depth' | 'nodes' | 'blocks'

/** The state of reading one document. Every reader adds to it. */
export interface Reading {
  readonly from: ResultSource
  /** `text`: `JSON.parse` made every object. `value`: objects may have inherited fields. */
  readonly origin: 'text' | 'value'
  readonly warnings: Problem<WarningCode>[]
  /** Ids of the questions read until now. */
  readonly questionIds: string[]
  /** Index of the current block; absent outside blocks. */
  block: number | undefined
  /** Number of values read until now. */
  nodes: number
  exceeded: OutputLimit | undefined
  /** Number of field names read until now. */
  keys: number
  /** A number lost digits, or `null` stood for an absent field. The document cannot be written again unchanged. */
  inexact: boolean
}

/** A problem of the current block or document. */
interface ReadingFinding {
  code: WarningCode
  message: string
  /** JSON Pointer inside the block; absent: the block itself. */
  at?: string
  expected: string
  got: string
}

/** Creates the state for reading a document. */
export function startReading(from: ResultSource, origin: Reading['origin']): Reading {
  return {
    from,
    origin,
    warnings: [],
    questionIds: [],
    block: undefined,
    nodes: 0,
    keys: 0,
    exceeded: undefined,
    inexact: false,
  }
}

/** Adds a warning about the current block or document. */
export function warn(
  reading: Reading,
  { code, message, at = '', expected, got }: ReadingFinding,
): void {
  const block = reading.block === undefined ? '' : `/content/${reading.block}`
  reading.warnings.push({ path: block + at, message, expected, got, code })
}

/** Adds the warning why the current block is omitted. The path of such a warning is the block's own, never deeper. */
export function skipBlock(reading: Reading, finding: Omit<ReadingFinding, 'at'>): undefined {
  warn(reading, { ...finding, message: `The block was skipped: ${finding.message}` })
  return undefined
}

/** The codes of warnings. */
export const WARNING_CODES = [
  // skipped blocks
  'malformed-block',
  'unknown-block-type',
  'invalid-base64',
  'missing-mime-type',
  'duplicate-question-id',
  'too-many-questions',
  // repaired blocks
  'repaired-base64',
  'sniffed-mime-type',
  'dropped-field',
  'renamed-field',
  'coerced-text',
  'coerced-audience',
  'hoisted-field',
  'text-and-blob',
  'derived-name',
  'long-uri',
  'local-resource-link',
  // changed values
  'proto-key',
  'repeated-key',
  'number-out-of-range',
  'not-json',
  'over-limit',
  // the result around the blocks
  'coerced-content',
  'coerced-is-error',
  'missing-is-error',
  'moved-to-wire',
  'misspelled-field',
  'legacy-tool-result',
  'unfit-value',
  'malformed-result',
  'malformed-definition',
  // the output as text
  'invalid-utf-8',
  'utf-16',
  'invalid-json',
  'text-around-json',
  'missing-content',
] as const

/**
 * Stable codes of the parser's warnings, in `Problem.code`. A warning whose path is exactly `/content/<index>` means that this block was skipped.
 * Any other warning is a repair or a remark.
 */
export type WarningCode = (typeof WARNING_CODES)[number]

/** The result of reading a tool result. */
export interface ParsedResult {
  /** The tool result, with `metadata.warnings` if there are any. Never has an `id` or other metadata. */
  result: ToolResult
  /** Skipped, repaired or moved parts (`WarningCode`): first those of the blocks in order, then those around them. */
  warnings: readonly Problem<WarningCode>[]
  /**
   * Whether `result` contains everything that was read, so that the document can be written again from it. `false` for raw text, with any warning,
   * over a limit, if a number over 2^53 lost digits, and if `null` stood for an absent field. Then the original bytes are worth storing.
   */
  reversible: boolean
}

/** A server's response that is not the result of a call. */
export type UnfinishedResult =
  /** By `kind`: the server needs input (MCP 2026-07-28), or continues as a task. `document` is the response. */
  | { kind: 'input_required' | 'task'; document: JsonObject }
  /** A response of an unknown type. `resultType` is its name, for a person. */
  | { kind: 'unknown'; document: JsonObject; resultType: string }

/** The result of reading a server's response to `tools/call`. */
export type ParsedMcpResult = ({ kind: 'complete' } & ParsedResult) | UnfinishedResult

/** The result of reading a tool's output. */
export interface ParsedOutput extends ParsedResult {
  /** `blocks`: a `content` array. `outcome`: a document of the older dialect. `raw`: anything else, as one text block. */
  format: 'blocks' | 'raw' | 'outcome'
  /** Present if the output exceeded a limit. Then only its beginning and end were kept, as text. */
  truncated?: OutputTruncation
}

/** How much of an output was kept. */
export interface OutputTruncation {
  /** Bytes of the output (UTF-8 if it was a string). */
  bytes: number
  /** Bytes of the beginning and end in the text. */
  kept: number
  /** The exceeded limit. */
  reason: OutputLimit
}
