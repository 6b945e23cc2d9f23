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
