import { limitTime } from './limit-time.ts'

/**
 * Whether a promise is fulfilled within this many milliseconds; a rejection is passed on. While this process cannot run, at most a tenth of the time
 * passes: its timers are due before it reads what has arrived.
 */
export async function settlesWithin(
  milliseconds: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const stop = limitTime(milliseconds, () => late.resolve(false))
  try {
    return await Promise.race([promise.then(() => true), late.promise])
  } finally {
    stop()
  }
}
