import type { ModelProfile, ModelResponse, ModelRequest } from '@toolblocks/formatter'
import type { TokenUsage } from '@toolblocks/protocol'
import { setTimeout as sleep } from 'node:timers/promises'

/** The events of a model request, in order. The last one is `message`. */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | ModelMessageEvent

/** The complete response, with its calls. */
export interface ModelMessageEvent {
  type: 'message'
  message: ModelResponse
  /** The name of the model that responded, as the provider writes it. */
  model?: string
  usage?: TokenUsage
  /** Why the response is truncated: its limit of tokens, or a content filter of the provider. */
  cut?: 'tokens' | 'filter'
}

/** A model and what it accepts. */
export interface ModelWithProfile {
  model: Model
  /** What the model accepts. Default: unknown; then earlier media are never referenced. */
  profile?: ModelProfile
  /** The name of the model, for `telemetry`. Default: unknown. */
  modelName?: string
}

/** Settings that are the same for all requests to a model. */
export type ModelSettings = Pick<ModelRequest, 'instructions' | 'maxOutputTokens'>

/**
 * Sends a request to a model. Rejects with a `ModelError` if there is no response; parts that were streamed before are then void. Ends when the
 * signal aborts.
 */
export type Model = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>

/** Why there is no response. */
export type ModelErrorCode =
  /** A retry would fail again: the request, the key or the model is wrong, or the response is too large. */
  | 'refused'
  /** A retry may succeed: too many requests, an overloaded provider, a broken connection. */
  | 'unavailable'

/** Thrown if a model did not respond to a request. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly code: ModelErrorCode
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfterMs: number | undefined
  /** The HTTP status of the provider's response, if there was a response. */
  readonly status: number | undefined

  constructor(
    code: ModelErrorCode,
    message: string,
    options: {
      cause?: unknown
      retryAfterMs?: number | undefined
      status?: number | undefined
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.retryAfterMs = options.retryAfterMs
    this.status = options.status
  }
}

/** What a host can show while a model request runs. */
export type ModelRequestNotice =
  /** The request was sent; nothing has been streamed yet. */
  | { type: 'asking' }
  | Exclude<ModelEvent, { type: 'message' }>
  /** The request failed for a `reason` and is sent again after `waitMs` milliseconds. What was streamed before is void. */
  | { type: 'retry'; reason: string; waitMs: number }

const MAX_ATTEMPTS = 4

const FIRST_WAIT_MS = 1000

const MAX_WAIT_MS = 60_000

/**
 * Sends a request to a model, and retries it if a retry may help. Returns `undefined` once the signal aborts. A failed request has had no effect,
 * so a retry does nothing twice.
 */
export async function askModel(
  model: Model,
  request: ModelRequest,
  {
    signal,
    show,
  }: { signal: AbortSignal; show: (notice: ModelRequestNotice) => void | Promise<void> },
): Promise<ModelMessageEvent | undefined> {
  for (let tries = 1; ; tries++) {
    await show({ type: 'asking' })
    try {
      return await readAnswer(model(request, signal), show)
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof ModelError) || error.code !== 'unavailable' || tries === MAX_ATTEMPTS)
        throw error
      const waitMs = Math.min(error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS)
      await show({ type: 'retry', reason: error.message, waitMs })
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return undefined
    }
  }
}

async function readAnswer(
  events: AsyncIterable<ModelEvent>,
  show: (notice: ModelRequestNotice) => void | Promise<void>,
): Promise<ModelMessageEvent> {
  for await (const event of events) {
    if (event.type === 'message') return event
    await show(event)
  }
  throw new ModelError('unavailable', 'the response of the model ended before it was complete')
}
