import { field, isJsonObject, isOneOf } from '../json/fields.ts'
import { META_STATUS } from '../meta-keys.ts'
import type { ToolResult } from './tool-result.ts'

/** All statuses. */
export const STATUSES = ['running', 'waiting', 'stopped'] as const

/** Where a live tool stands, from `_meta["computer.jp/status"]`; one-shot tools are always `stopped`. */
export type Status = (typeof STATUSES)[number]

/** Says whether a value is a `Status`. */
export function isStatus(value: unknown): value is Status {
  return isOneOf(STATUSES, value)
}

/** Reads `_meta["computer.jp/status"]`; absent or unknown reads as `stopped`. */
export function readStatus(result: ToolResult): Status {
  const { _meta: meta } = result
  const status = isJsonObject(meta) ? field(meta, META_STATUS) : undefined
  return isStatus(status) ? status : 'stopped'
}

/** Returns the result with `_meta["computer.jp/status"]` set; other keys of `_meta` stay. */
export function withStatus(result: ToolResult, status: Status): ToolResult {
  const { _meta: meta } = result
  return { ...result, _meta: { ...meta, [META_STATUS]: status } }
}
