/** Why a service could not be started. */
export type ServeErrorCode =
  /** The key that seals states has the wrong length. */
  | 'wrong-state-key'
  /** The address cannot be used; `cause` is the error of the operating system. */
  | 'cannot-listen'
  /** `token` and `authenticate` were both set. */
  | 'token-and-authenticate'
  /** One of `trustedProxies` is neither an IP address nor a network. */
  | 'wrong-proxy'

/** Thrown when a service cannot be started with these options. */
export class ServeError extends Error {
  readonly code: ServeErrorCode

  constructor(code: ServeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServeError'
    this.code = code
  }
}
