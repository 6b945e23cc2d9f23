import type { AroundWait } from '@toolblocks/tool-executor'

/** How long calls waited for people, so that it can be left out of how long the calls took. */
export interface PersonTime {
  /** Waits that overlap count once. */
  around: AroundWait
  /** Milliseconds, by the id of the call; of waits that have ended. */
  of(call: string): number
}

/** Measures nothing but what is put around with it. */
export function createPersonTime(now: () => number = () => performance.now()): PersonTime {
  const taken = new Map<string, number>()
  const open = new Map<string, { since: number; waits: number }>()

  function begin(call: string): void {
    const waiting = open.get(call)
    if (waiting) waiting.waits += 1
    else open.set(call, { since: now(), waits: 1 })
  }

  function end(call: string): void {
    const waiting = open.get(call)
    if (!waiting) return
    waiting.waits -= 1
    if (waiting.waits > 0) return
    open.delete(call)
    taken.set(call, (taken.get(call) ?? 0) + now() - waiting.since)
  }

  return {
    around: async (call, wait) => {
      begin(call)
      return await wait().finally(() => end(call))
    },
    of: (call) => taken.get(call) ?? 0,
  }
}
