import { type DamagedPlace, StoreError, type StoreErrorCode } from '../../store-error.ts'

/** What the driver threw, as an error of the store. */
export function sqliteFailure(
  file: string,
  cause: unknown,
  { otherwise, ...place }: DamagedPlace & { otherwise: StoreErrorCode },
): StoreError {
  if (cause instanceof StoreError) return cause
  const code = storeErrorCode(cause) ?? otherwise
  const reason = cause instanceof Error ? cause.message : String(cause)
  const of =
    place.conversation === undefined ? '' : ` (conversation ${JSON.stringify(place.conversation)})`
  switch (code) {
    case 'cannot-open':
      return new StoreError(code, `The store ${file} cannot be opened: ${reason}`, { cause })
    case 'damaged':
      return new StoreError(code, `The store ${file} is damaged${of}: ${reason}`, {
        cause,
        ...place,
      })
    case 'read-only':
      return new StoreError(code, `The store ${file} can only be read: ${reason}`, { cause })
    default:
      return new StoreError(code, `The store ${file} failed: ${reason}`, { cause })
  }
}

function storeErrorCode(cause: unknown): StoreErrorCode | undefined {
  // A number no event can have.
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_OUT_OF_RANGE')
    return 'damaged'
  switch (primaryCode(cause)) {
    case READONLY:
      return 'read-only'
    case CORRUPT:
      return 'damaged'
    default:
      return undefined
  }
}

/** Whether another connection holds the database or one of its tables. */
export function isBusy(cause: unknown): boolean {
  const code = primaryCode(cause)
  return code === BUSY || code === LOCKED
}

/** SQLite's own numbers. */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const CORRUPT = 11

function primaryCode(cause: unknown): number | undefined {
  const code: unknown = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined
  return typeof code === 'number' ? code & 0xff : undefined
}
