/** Any JSON value. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }

/** An object whose fields are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON Schema. It is unchecked until `@toolblocks/schema-check` compiles it. */
export type JsonSchema = { readonly [keyword: string]: unknown } | boolean

/** MCP's `_meta`: additional data of a tool or server. Unknown keys are kept. The values of known keys are claims too. */
export interface Meta {
  readonly [key: string]: unknown
  /** `META_ERROR`: of a failure, whether a retry may help, and its causes; `readErrorDetails` reads it. */
  readonly 'computer.jp/error'?: unknown
  /** `META_STATUS`: the state of a stateful call; `readStatus` reads it. */
  readonly 'computer.jp/status'?: unknown
  /** `META_RE`: the `seq` of the request that a line of a stateful tool answers. */
  readonly 'toolblocks/re'?: unknown
  /** `META_MADE_BY`: who made the call if no model did. The host itself sets it, never a wire. */
  readonly 'toolblocks/made-by'?: unknown
  /** `META_WIRE`: received values whose names belong to the host. */
  readonly 'toolblocks/wire'?: unknown
}

/** Whether a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Whether a value is a number that JSON can represent. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** Whether a value is a count: an integer from 0 to 2^53 - 1. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Whether a value is a SHA-256: 64 lower-case hexadecimal digits. */
export function isSha256(value: unknown): value is string {
  return isString(value) && /^[0-9a-f]{64}$/.test(value)
}

/** Whether a value is `true` or `false`. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

/** Whether a value is one of the names of a list. */
export function isOneOf<Name extends string>(
  names: readonly Name[],
): (value: unknown) => value is Name {
  return (value): value is Name => names.some((name) => name === value)
}

/** Whether a value is an object, and neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value is an object without a class: not an array, a `Date` or a `Map`. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Objects of another realm have another Object.prototype. All of them have no prototype above it.
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null
  )
}

/** Whether a value is an array whose elements all pass a check. */
export function isArrayOf<T>(
  is: (element: unknown) => element is T,
): (value: unknown) => value is T[] {
  return (value): value is T[] => {
    if (!Array.isArray(value)) return false
    // Not every(): it skips the holes of a sparse array.
    for (const element of value) if (!is(element)) return false
    return true
  }
}

/** Returns an object's own field. Inherited fields are `undefined`. */
export function getOwnField(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Whether an object has its own field that passes a check. Inherited fields do not count. */
export function has(object: JsonObject, key: string, is: (value: unknown) => boolean): boolean {
  return Object.hasOwn(object, key) && is(object[key])
}

/** Whether an object has no such field, or one that passes a check. `undefined` is not absence. */
export function mayHave(object: JsonObject, key: string, is: (value: unknown) => boolean): boolean {
  return !Object.hasOwn(object, key) || is(object[key])
}
