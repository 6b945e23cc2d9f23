/** Why a model gave no answer. */
export type ModelErrorCode =
  /** It would answer the same again: the request, the key or the model is wrong, or the answer is larger than is read. */
  | 'refused'
  /** Another try may be answered: too many requests, an overloaded provider, a connection that broke. */
  | 'unavailable'

/** A request to a model that was not answered. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly code: ModelErrorCode
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfterMs: number | undefined
  /** The HTTP status of the provider's answer, where there was one. */
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
