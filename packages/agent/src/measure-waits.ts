import type { WrapWait } from '@toolblocks/tool-executor/internal'

/** Measures how long the calls of one conversation waited for people, so that the duration of a call can exclude that time. */
export function measureWaits(now: () => number = () => performance.now()): {
  around: WrapWait
  /** Milliseconds that a call has waited, by the id of the call. Counts finished waits only. */
  of: (call: string) => number
} {
  const taken = new Map<string, number>()
  const open = new Map<string, { since: number; waits: number }>()

  function begin(call: string): void {
    const waiting = open.get(call)
    // Overlapping waits count once.
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
    around: async ({ callId }, wait) => {
      begin(callId)
      return await wait().finally(() => end(callId))
    },
    of: (call) => taken.get(call) ?? 0,
  }
}
