import type { ContentBlock } from '../content/content-block.ts'
import type { JsonObject, JsonValue } from '../json/json.ts'

/** What a model said. */
export interface AssistantMessage {
  content: readonly ContentBlock[]
  /** What it thought before it spoke, as far as the provider tells. */
  reasoning?: string
  /** An answer in a form that was asked for. */
  data?: JsonValue
  /** The name of the model, as its provider writes it. */
  model?: string
  usage?: TokenUsage
  /** What the provider wants back with the message, such as signatures, under its name. */
  _meta?: JsonObject
}

/** Tokens that a message took, as the provider counted them. A count that it did not give is absent. */
export interface TokenUsage {
  /** Tokens of the whole request; those from or into a cache are included. */
  inputTokens?: number
  /** How many of the input tokens were read from a cache. */
  cachedInputTokens?: number
  /** How many of the input tokens were written into a cache. */
  cacheWriteTokens?: number
  /** Tokens of the whole answer; those of its reasoning are included. */
  outputTokens?: number
  /** How many of the output tokens were reasoning. */
  reasoningTokens?: number
}
