/** Why a service is not served. */
export type ServeErrorCode =
  /** Others could reach it, and there is no token. */
  | 'token-required'
  /** The key that seals states has the wrong length. */
  | 'wrong-state-key'

/** Thrown when a service shall be served as it must not be. */
export class ServeError extends Error {
  readonly code: ServeErrorCode

  constructor(code: ServeErrorCode, message: string) {
    super(message)
    this.name = 'ServeError'
    this.code = code
  }
}

export function tokenRequired(host: string): ServeError {
  return new ServeError(
    'token-required',
    `Serving at ${host} lets others call the tools: give a token, or serve at 127.0.0.1.`,
  )
}

export function wrongKey(got: number, expected: number): ServeError {
  return new ServeError(
    'wrong-state-key',
    `"stateKey": expected ${expected} bytes, got ${got}; randomBytes(${expected}) of node:crypto makes some.`,
  )
}
