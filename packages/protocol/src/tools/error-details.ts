import { field, isArrayOf, isJsonObject, isString } from '../json/fields.ts'
import { META_ERROR } from '../meta-keys.ts'
import type { ToolResult } from './tool-result.ts'

/** What a tool says about its failure beside the blocks. */
export interface ErrorDetails {
  /** A retry may help. */
  transient: boolean
  /** The chain of causes, outermost first. */
  trace: readonly string[]
}

/**
 * Reads `_meta["computer.jp/error"]`. A field that is absent or malformed reads as `transient: false` or an
 * empty `trace`.
 */
export function readErrorDetails(result: ToolResult): ErrorDetails {
  const { _meta: meta } = result
  const details = isJsonObject(meta) ? field(meta, META_ERROR) : undefined
  if (!isJsonObject(details)) return { transient: false, trace: [] }
  const trace = field(details, 'trace')
  return {
    transient: field(details, 'transient') === true,
    trace: isArrayOf(trace, isString) ? trace : [],
  }
}

/** Returns the result with `_meta["computer.jp/error"]` set; other keys of `_meta` stay. */
export function withErrorDetails(result: ToolResult, details: ErrorDetails): ToolResult {
  const { transient, trace } = details
  const { _meta: meta } = result
  return { ...result, _meta: { ...meta, [META_ERROR]: { transient, trace: [...trace] } } }
}
