import { type DamagedPlace, StoreError } from '../../../store-error.ts'

const WORDS = {
  'cannot-open': 'cannot be opened',
  'read-only': 'can only be read',
  damaged: 'is damaged',
  failed: 'failed',
} as const

type Failure = keyof typeof WORDS

/** What the driver threw, as an error of the store. */
export function sqliteFailure(
  file: string,
  cause: unknown,
  { otherwise, ...place }: DamagedPlace & { otherwise: Failure },
): StoreError {
  if (cause instanceof StoreError) return cause
  const code = failureOf(cause) ?? otherwise
  const reason = cause instanceof Error ? cause.message : String(cause)
  const where =
    place.conversation === undefined ? '' : ` in conversation ${JSON.stringify(place.conversation)}`
  const message = `The store ${file} ${WORDS[code]}${where}: ${reason}`
  return new StoreError(code, message, code === 'damaged' ? { cause, ...place } : { cause })
}

function failureOf(cause: unknown): Failure | undefined {
  const code = primaryCode(cause)
  if (code === READONLY) return 'read-only'
  // Node.js refuses to read a number that no event can have.
  const isNoNumber = cause instanceof Error && 'code' in cause && cause.code === 'ERR_OUT_OF_RANGE'
  return code === CORRUPT || isNoNumber ? 'damaged' : undefined
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
