import type { JsonObject, Problem, ToolResult } from '@toolblocks/protocol'

/** Where a result comes from: an MCP server knows no questions, a local tool cannot serve links. */
export type ResultSource = 'mcp' | 'tool'

/** A limit of `@toolblocks/protocol` that a document can break: its size, nesting, values or blocks. */
export type OutputLimit = 'bytes' | 'depth' | 'nodes' | 'blocks'

/** What is known so far of the document being read; every reader adds to it. */
export interface Reading {
  readonly from: ResultSource
  /** `text`: `JSON.parse` made every object here. `value`: objects came from elsewhere and may inherit fields. */
  readonly origin: 'text' | 'value'
  readonly warnings: Problem<WarningCode>[]
  /** Ids of the questions read so far. */
  readonly questionIds: string[]
  /** Index of the block being read; absent outside blocks. */
  block: number | undefined
  /** Values met so far. */
  nodes: number
  exceeded: OutputLimit | undefined
  /** Names of fields met so far. */
  keys: number
  /** A number lost digits, or a `null` stood for an absent field: what was read cannot be written again as it came. */
  inexact: boolean
}

/** What is wrong, seen from the block or document being read. */
interface Finding {
  code: WarningCode
  message: string
  /** JSON Pointer inside the block; absent: the block itself. */
  at?: string
  expected: string
  got: string
}

/** Starts reading a document. */
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

/** Notes a problem of the block or document being read. */
export function warn(reading: Reading, { code, message, at = '', expected, got }: Finding): void {
  const block = reading.block === undefined ? '' : `/content/${reading.block}`
  reading.warnings.push({ path: block + at, message, expected, got, code })
}

/** Notes why the block being read is left out. The path of such a warning is the block's own, never deeper. */
export function skipBlock(reading: Reading, finding: Omit<Finding, 'at'>): undefined {
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
  'hoisted-field',
  'text-and-blob',
  'derived-name',
  'long-uri',
  'local-resource-link',
  // values that are not kept as they came
  'proto-key',
  'repeated-key',
  'number-out-of-range',
  'not-json',
  'over-limit',
  // the result around the blocks
  'coerced-content',
  'coerced-is-error',
  'moved-to-wire',
  'legacy-tool-result',
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
 * Stable names of what the parser warns of, in `Problem.code`. A warning whose path is exactly `/content/<index>`
 * means that this block was skipped; every other one is a repair or a remark.
 */
export type WarningCode = (typeof WARNING_CODES)[number]

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
  /** By its `kind`: the server needs input (MCP 2026-07-28), or goes on with a task. `document` is what it said. */
  | { kind: 'input_required' | 'task'; document: JsonObject }
  /** A result of a type that is not known here; `resultType` is its name, for a person. */
  | { kind: 'unknown'; document: JsonObject; resultType: string }

/** What came of reading a server's answer to `tools/call`. */
export type ParsedMcpResult = ({ kind: 'complete' } & ParsedResult) | UnfinishedResult

/** What came of reading a tool's output. */
export interface ParsedOutput extends ParsedResult {
  /** `blocks`: a `content` array. `outcome`: a document of the older dialect. `raw`: anything else, one text block. */
  format: 'blocks' | 'raw' | 'outcome'
  /** Present where the output broke a limit, so that only its head and tail were kept, as text. */
  truncated?: OutputTruncation
}

/** How much of an output was kept. */
export interface OutputTruncation {
  /** All bytes of the output (UTF-8, where it came as a string). */
  bytes: number
  /** The bytes of head and tail that are in the text. */
  kept: number
  /** The limit that was broken. */
  reason: OutputLimit
}
