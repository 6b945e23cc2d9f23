/** Any value that JSON can carry. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue }

/** An object as it came: nothing about its fields is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A JSON Schema as it came: nothing about it is checked until `@toolblocks/schema-check` compiles it. */
export type JsonSchema = { readonly [keyword: string]: unknown } | boolean

/** MCP's `_meta`: what the tool or server said beside the content. Unknown keys are kept; those that are known here are claims, too. */
export interface Meta {
  readonly [key: string]: unknown
  /** `META_ERROR`: of a failure, whether a retry may help, and its causes; `readErrorDetails` reads it. */
  readonly 'computer.jp/error'?: unknown
  /** `META_STATUS`: where a live tool stands; `readStatus` reads it. */
  readonly 'computer.jp/status'?: unknown
  /** `META_RE`: the `seq` of the request that a line of a live tool answers. */
  readonly 'toolblocks/re'?: unknown
  /** `META_MADE_BY`: on a call, who made it where that was no model; of a host's own, never of a wire. */
  readonly 'toolblocks/made-by'?: unknown
  /** `META_WIRE`: what came over the wire under names that are the host's. */
  readonly 'toolblocks/wire'?: unknown
}

/** Says whether a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

/** Says whether a value is a number that JSON can carry. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** Says whether a value is a count: an integer from 0 to 2^53 - 1. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** Says whether a value is a SHA-256: 64 lower-case hexadecimal digits. */
export function isSha256(value: unknown): value is string {
  return isString(value) && /^[0-9a-f]{64}$/.test(value)
}

/** Says whether a value is `true` or `false`. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

/** Says whether a value is one of the names of a list. */
export function isOneOf<Name extends string>(
  names: readonly Name[],
): (value: unknown) => value is Name {
  return (value): value is Name => names.some((name) => name === value)
}

/** Says whether a value is an object and neither `null` nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Says whether a value is an object that is no array and has no prototype to inherit fields from: neither a `Date` nor a `Map`. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Objects of another realm have another Object.prototype; what all share is that nothing is above it.
  return (
    prototype === Object.prototype ||
    prototype === null ||
    Object.getPrototypeOf(prototype) === null
  )
}

/** Says whether a value is an array whose elements are all of one kind. */
export function isArrayOf<T>(
  is: (element: unknown) => element is T,
): (value: unknown) => value is T[] {
  return (value): value is T[] => {
    if (!Array.isArray(value)) return false
    // Not every(): it passes over the holes of a sparse array.
    for (const element of value) if (!is(element)) return false
    return true
  }
}

/** Reads an object's own field; inherited fields read as `undefined`. */
export function getOwnField(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Says whether an object has its own field of that kind; inherited fields do not count. */
export function has(object: JsonObject, key: string, is: (value: unknown) => boolean): boolean {
  return Object.hasOwn(object, key) && is(object[key])
}

/** Says whether an object either lacks a field or has it in that kind. `undefined` is not absence. */
export function mayHave(object: JsonObject, key: string, is: (value: unknown) => boolean): boolean {
  return !Object.hasOwn(object, key) || is(object[key])
}
