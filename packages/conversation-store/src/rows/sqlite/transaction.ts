import { getErrorText } from '@toolblocks/protocol/internal'
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { type DamagedPlace, StoreError } from '../../problems/store-error.ts'

/** Runs work in a transaction. Writers need `IMMEDIATE`: a deferred transaction that reads first cannot always become a writing one. */
export function inTransaction<Value>(
  database: DatabaseSync,
  kind: 'DEFERRED' | 'IMMEDIATE',
  work: () => Value,
): Value {
  database.exec(`BEGIN ${kind}`)
  try {
    const value = work()
    database.exec('COMMIT')
    return value
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** How long a writer waits for others, all tries together, in milliseconds. */
const MAX_WAIT_MS = 10_000
/** After this time a wait is reported. */
const REPORTED_WAIT_MS = 1000
const MAX_PAUSE = 200

/**
 * Repeats a short statement while another process holds the database. The thread is free in between. `onWait` is called once if this takes longer than
 * a second.
 */
export async function retryWhileBusy<Value>(
  statement: () => Value,
  { file, onWait }: { file: string; onWait: (what: string) => void },
): Promise<Value> {
  let start: number | undefined
  let isReported = false
  for (let attempt = 1; ; attempt++) {
    try {
      return statement()
    } catch (error) {
      if (!isBusy(error)) throw error
      start ??= performance.now()
      if (!isReported && performance.now() - start > REPORTED_WAIT_MS) {
        isReported = true
        onWait(`the store ${file}, which another process holds`)
      }
      if (performance.now() - start > MAX_WAIT_MS) {
        const message = `The database was held by another process for ${MAX_WAIT_MS / 1000} s; nothing was written.`
        throw new StoreError('busy', message, { cause: error })
      }
    }
    await delay(Math.random() * Math.min(MAX_PAUSE, 5 * 2 ** attempt))
  }
}

const EFFECTS = {
  'cannot-open': 'cannot be opened',
  'read-only': 'is read-only',
  damaged: 'is damaged',
  failed: 'failed',
} as const

type FailureEffect = keyof typeof EFFECTS

/** Converts an error of the driver to an error of the store. */
export function sqliteFailure(
  file: string,
  cause: unknown,
  { otherwise, ...location }: DamagedPlace & { otherwise: FailureEffect },
): StoreError {
  if (cause instanceof StoreError) return cause
  const code = getFailure(cause) ?? otherwise
  const reason = getErrorText(cause)
  const where =
    location.conversation === undefined
      ? ''
      : ` in conversation ${JSON.stringify(location.conversation)}`
  const message = `The store ${file} ${EFFECTS[code]}${where}: ${reason}`
  return new StoreError(code, message, code === 'damaged' ? { cause, ...location } : { cause })
}

function getFailure(cause: unknown): FailureEffect | undefined {
  const code = primaryCode(cause)
  if (code === READONLY) return 'read-only'
  // Node.js refuses to read an integer that is too large for JavaScript, and no event has such a number.
  const isNoNumber = cause instanceof Error && 'code' in cause && cause.code === 'ERR_OUT_OF_RANGE'
  return code === CORRUPT || isNoNumber ? 'damaged' : undefined
}

/** Whether another connection holds the database or one of its tables. */
export function isBusy(cause: unknown): boolean {
  const code = primaryCode(cause)
  return code === BUSY || code === LOCKED
}

/** Result codes of SQLite. */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const CORRUPT = 11

function primaryCode(cause: unknown): number | undefined {
  const code: unknown = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined
  return typeof code === 'number' ? code & 0xff : undefined
}
