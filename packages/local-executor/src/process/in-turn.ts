import { MAX_LIVE_PROGRAMS, MAX_RUNNING_PROGRAMS } from '@toolblocks/protocol'
import pLimit from 'p-limit'

/** Turns of the programs that run once. One that stays alive has none: it would hold its turn until somebody ends it. */
const limit = pLimit(MAX_RUNNING_PROGRAMS)

/**
 * Does work when fewer than `MAX_RUNNING_PROGRAMS` others are at work: who came first is first. `undefined`, at once: the signal aborted
 * before, and the work is never done.
 */
export async function inTurn<Value>(
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  const left = Promise.withResolvers<undefined>()
  let waiting: typeof work | undefined = work
  function leave(): void {
    // Its place in the queue stays until its turn; what it holds, such as megabytes of input, does not.
    waiting = undefined
    left.resolve(undefined)
  }
  signal.addEventListener('abort', leave, { once: true })
  const turn = limit(async () => {
    signal.removeEventListener('abort', leave)
    return await waiting?.()
  })
  return await Promise.race([turn, left.promise])
}

let live = 0

/** Why no further program may stay alive, in a sentence. */
export const TOO_MANY_LIVE = `${MAX_LIVE_PROGRAMS} programs of tools stay alive already: end one of them first, with abort.`

/** Counts a program that stays alive, until it is given back; `undefined` where there are `MAX_LIVE_PROGRAMS` already. */
export function countLive(): { giveBack: () => void } | undefined {
  if (live >= MAX_LIVE_PROGRAMS) return undefined
  live += 1
  return {
    giveBack: () => {
      live -= 1
    },
  }
}
