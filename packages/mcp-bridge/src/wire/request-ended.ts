/** Why the other side does not wait for the answer to a request any longer. */
export class RequestEnded extends Error {
  override name = 'RequestEnded'
  /** `cancelled`: on purpose. `timed-out`: its time limit is over. `lost`: the connection has ended. */
  readonly kind: 'cancelled' | 'timed-out' | 'lost'

  constructor(kind: RequestEnded['kind'], reason?: string) {
    const why = reason === undefined ? '' : `: ${reason}`
    super(`The request has ended (${kind})${why}`)
    this.kind = kind
  }
}

/**
 * Reads the reason of a `notifications/cancelled`. MCP has no field that tells a time limit from a person, but clients write it: "Request timed out" by the official SDKs, "request
 * timeout" by others.
 */
export function toRequestEnded(reason: unknown): RequestEnded {
  const text = typeof reason === 'string' ? reason : undefined
  const isTimeout = text !== undefined && /time(?:d)?[\s-]?out|deadline/i.test(text)
  return new RequestEnded(isTimeout ? 'timed-out' : 'cancelled', text)
}
