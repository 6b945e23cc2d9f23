/** Why a service is not served. */
export type ServeErrorCode =
  /** The key that seals states has the wrong length. */
  | 'wrong-state-key'
  /** Nobody can listen at the port: another program does, or this one may not. */
  | 'cannot-listen'

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

/** Why nobody can listen at a port; what is no such failure stays as it is. */
export function explainListen(
  error: unknown,
  { port, host }: { port: number; host: string },
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return new ServeError(
        'cannot-listen',
        `another program listens at port ${port} of ${host}; end it, or choose another port: 0 takes a free one`,
      )
    case 'EACCES':
      return new ServeError(
        'cannot-listen',
        `this user may not listen at port ${port} of ${host}; choose one from 1024 on, or 0, which takes a free one`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ServeError('cannot-listen', `${host} is no address of this machine`)
    default:
      return error
  }
}
