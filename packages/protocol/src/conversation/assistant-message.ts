import type { ContentBlock } from '../content/content-block.ts'
import type { JsonObject, JsonValue } from '../json/json.ts'

/** A message of a model. */
export interface AssistantMessage {
  content: readonly ContentBlock[]
  /** The reasoning before the text, if the provider reports it. */
  reasoning?: string
  /** A structured response. */
  data?: JsonValue
  /** The name of the model, as the provider writes it. */
  model?: string
  usage?: TokenUsage
  /** Provider data that goes back with the message, such as signatures, under the provider's name. */
  _meta?: JsonObject
}

/** Token usage of a message, as the provider counted it. A missing count is absent. */
export interface TokenUsage {
  /** All tokens of the request, including those read from or written to a cache. */
  inputTokens?: number
  /** Input tokens that were read from a cache. */
  cachedInputTokens?: number
  /** Input tokens that were written to a cache. */
  cacheWriteTokens?: number
  /** All tokens of the response, including reasoning. */
  outputTokens?: number
  /** Output tokens that were reasoning. */
  reasoningTokens?: number
}
