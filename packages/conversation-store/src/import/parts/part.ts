import type { JsonObject, ToolCall, ToolResult } from '@toolblocks/protocol'

/** One thing that a record says, whatever system wrote it. */
export type Part =
  | { kind: 'said'; by: 'user' | 'assistant'; block: unknown }
  /** What a model thought; `raw` is what its provider wants back. */
  | { kind: 'thought'; text: string; raw: JsonObject }
  | { kind: 'call'; call: ToolCall }
  | { kind: 'result'; result: ToolResult }
  | { kind: 'configuration'; values: JsonObject }
