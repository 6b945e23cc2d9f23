import type { Problem } from '@toolblocks/protocol'
import type { WarningCode } from './warning-code.ts'

/** Where a result comes from: an MCP server knows no questions, a local tool cannot serve links. */
export type ResultSource = 'mcp' | 'tool'

/** A limit of `@toolblocks/protocol` that a document can break: its size, nesting, values or blocks. */
export type Limit = 'bytes' | 'depth' | 'nodes' | 'blocks'

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
  exceeded: Limit | undefined
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
