import type { TokenUsage } from '@toolblocks/protocol'
import type { ModelAnswer, ModelRequest } from '@toolblocks/formatter'

/** What comes of a request, in its order; the last one is `message`. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | ModelMessageEvent

/** All that was said, with the calls. */
export interface ModelMessageEvent {
  type: 'message'
  message: ModelAnswer
  /** The name of the model that answered, as its provider writes it. */
  model?: string
  usage?: TokenUsage
  /** What ended it before its end: the limit of its tokens, or a filter of the provider. */
  cut?: 'tokens' | 'filter'
}

/**
 * Asks a model. Rejects with a `ModelError` where there is no answer; what was streamed until then is no answer. Ends once
 * the signal aborts.
 */
export type Model = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>
