import type { JsonObject, ToolCall, ToolResult } from '@toolblocks/protocol'
import type { TokenUsage } from '@toolblocks/protocol'

/** One thing that a record says, whatever system wrote it. */
export type Part =
  | { kind: 'said'; by: 'user' | 'assistant'; block: unknown }
  /** What a model thought; `raw` is what its provider wants back. */
  | { kind: 'thought'; text: string; raw: JsonObject }
  /** A message of a model that says nothing itself: it has who spoke, and what that took. */
  | { kind: 'silent' }
  /** `fields`: what stands beside it that a call has no place for. */
  | { kind: 'call'; call: ToolCall; fields?: JsonObject }
  | { kind: 'result'; result: ToolResult; fields?: JsonObject }
  | { kind: 'configuration'; values: JsonObject }

/** Which model said what a record says, and what that took. */
export interface Spoken {
  model?: string
  usage?: TokenUsage
}

/** What is known of who spoke; nothing for a model without a name. */
export function spoken(model: unknown, usage: TokenUsage | undefined): Spoken {
  return {
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(usage && { usage }),
  }
}
