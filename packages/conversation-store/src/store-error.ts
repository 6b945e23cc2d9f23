/** What broke: the store's address, its file, or what it was given. */
export type StoreErrorCode =
  | 'unsupported-url'
  | 'unstorable'
  | 'cannot-open'
  | 'newer-version'
  | 'not-a-store'
  | 'busy'
  | 'closed'
  | 'failed'

/** The store or the machine is broken. A conflict between writers is a value, not an error. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
  }
}
