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

/** MCP's `_meta`: what the tool or server said beside the content. Unknown keys are kept. */
export type Meta = Readonly<Record<string, unknown>>
