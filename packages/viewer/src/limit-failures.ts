import { requireArguments } from '@toolblocks/protocol/internal'

/** Failed tokens in a minute, after which no more are compared for the rest of it. */
const MAX_FAILURES = 10
const MINUTE_MS = 60_000

/**
 * Returns a function for failed attempts to sign in. It counts a failure, and returns whether the limit of 10 in a minute was not reached before.
 *
 * @param now Milliseconds of a clock.
 */
export function limitFailures(now: () => number): () => boolean {
  requireArguments('limitFailures(now)', [now, 'function'])
  let failures: number[] = []
  return () => {
    failures = failures.filter((time) => time > now() - MINUTE_MS)
    if (failures.length >= MAX_FAILURES) return false
    failures.push(now())
    return true
  }
}
