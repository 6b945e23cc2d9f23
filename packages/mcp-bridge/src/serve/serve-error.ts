/** Why a service is not served. */
export type ServeErrorCode =
  /** The key that seals states has the wrong length. */
  'wrong-state-key'

/** Thrown when a service shall be served as it must not be. */
export class ServeError extends Error {
  readonly code: ServeErrorCode

  constructor(code: ServeErrorCode, message: string) {
    super(message)
    this.name = 'ServeError'
    this.code = code
  }
}

export function wrongKey(got: number, expected: number): ServeError {
  return new ServeError(
    'wrong-state-key',
    `"stateKey": expected ${expected} bytes, got ${got}; randomBytes(${expected}) of node:crypto makes some.`,
  )
}
