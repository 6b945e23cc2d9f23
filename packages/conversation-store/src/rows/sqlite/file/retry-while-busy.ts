import { setTimeout as delay } from 'node:timers/promises'
import { StoreError } from '../../../store-error.ts'
import { isBusy } from './sqlite-failure.ts'

/** How long a writer waits for others, all tries together, in milliseconds. */
const PATIENCE = 10_000
const LONGEST_PAUSE = 200

/** Runs a short statement again while another process holds the database; the thread is free in between. */
export async function retryWhileBusy<Value>(statement: () => Value): Promise<Value> {
  let start: number | undefined
  for (let attempt = 1; ; attempt++) {
    try {
      return statement()
    } catch (error) {
      if (!isBusy(error)) throw error
      start ??= performance.now()
      if (performance.now() - start > PATIENCE) {
        const message = `The database was held by another process for ${PATIENCE / 1000} s; nothing was written.`
        throw new StoreError('busy', message, { cause: error })
      }
    }
    await delay(Math.random() * Math.min(LONGEST_PAUSE, 5 * 2 ** attempt))
  }
}
