/** Why a service is not served. */
export type ServeErrorCode =
  /** The key that seals states has the wrong length. */
  | 'wrong-state-key'
  /** The address cannot be listened at; `cause` is what the operating system answered. */
  | 'cannot-listen'

/** Thrown when a service shall be served as it must not be. */
export class ServeError extends Error {
  readonly code: ServeErrorCode

  constructor(code: ServeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
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

/** Why nobody can listen at an address, by what the operating system answered. */
export function cannotListen(host: string, port: number, cause: unknown): ServeError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return new ServeError('cannot-listen', explainListen(`port ${port} of ${host}`, code, cause), {
    cause,
  })
}

function explainListen(place: string, code: unknown, cause: unknown): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use by another program; name another port, or 0 for one that is free`
    case 'EACCES':
      return `${place} may not be used by this user; name a port from 1024, or 0 for one that is free`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${place} cannot be used: this machine has no such address`
    default:
      return `${place} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}
