import { isArrayOf, isJsonObject, isNumber, isString, mayHave } from '../json/fields.ts'
import type { Meta } from '../json/json.ts'

/** MCP's hints on who a block is for. Carried, never trusted for permissions. */
export interface Annotations {
  /** Whom the block is for; absent or both: everyone. */
  audience?: ('user' | 'assistant')[]
  /** 0 (least) to 1 (most important). */
  priority?: number
  /** ISO 8601 date and time, by MCP; any text is kept, as servers write dates in many ways. */
  lastModified?: string
}

/** What every block and every resource may carry. */
export interface BlockFields {
  annotations?: Annotations
  _meta?: Meta
}

/** Says whether a value is an `audience`: an array of `user` and `assistant`. */
export function isAudience(value: unknown): value is ('user' | 'assistant')[] {
  return isArrayOf(value, (role) => role === 'user' || role === 'assistant')
}

/** Says whether a value is a `priority`: a number from 0 to 1. */
export function isPriority(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= 1
}

/** Says whether a value is an `Annotations`. */
export function isAnnotations(value: unknown): value is Annotations {
  return (
    isJsonObject(value) &&
    mayHave(value, 'audience', isAudience) &&
    mayHave(value, 'priority', isPriority) &&
    mayHave(value, 'lastModified', isString)
  )
}

/** Says whether an object's `annotations` and `_meta` are absent or well formed. */
export function hasBlockFields(value: Readonly<Record<string, unknown>>): boolean {
  return mayHave(value, 'annotations', isAnnotations) && mayHave(value, '_meta', isJsonObject)
}
