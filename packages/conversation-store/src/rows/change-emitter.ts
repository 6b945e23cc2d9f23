import { setTimeout as delay } from 'node:timers/promises'

/** Wakes the waiters for a name. */
export interface ChangeEmitter {
  emit(name: string): void
  emitAll(): void
  /** Settles at the next change of the name, or when the signal aborts. */
  next(name: string, signal: AbortSignal): Promise<void>
}

/** Creates an emitter. A waiter is woken by every change after it started to wait. */
export function createChangeEmitter(): ChangeEmitter {
  const waiting = new Map<string, Set<() => void>>()
  function emit(name: string): void {
    const waiters = waiting.get(name)
    waiting.delete(name)
    for (const wake of waiters ?? []) wake()
  }
  return {
    emit,
    emitAll: () => {
      for (const name of waiting.keys()) emit(name)
    },
    next: (name, signal) =>
      new Promise((resolve) => {
        const set = waiting.get(name) ?? new Set()
        waiting.set(name, set)
        const wake = (): void => {
          signal.removeEventListener('abort', wake)
          set.delete(wake)
          if (set.size === 0) waiting.delete(name)
          resolve()
        }
        set.add(wake)
        if (signal.aborted) wake()
        else signal.addEventListener('abort', wake)
      }),
  }
}

/** Calls `isSo` repeatedly until it returns true or the signal aborts: every `everyMs`, and when `next` settles. Rejects with its errors. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  {
    everyMs,
    signal,
    next,
  }: { everyMs: number; signal: AbortSignal; next?: (signal: AbortSignal) => Promise<void> },
): Promise<void> {
  while (!signal.aborted) {
    const round = new AbortController()
    const either = AbortSignal.any([signal, round.signal])
    // Begins before the query, so that no change between the two is missed.
    const changed = next?.(either)
    const passed = delay(everyMs, undefined, { signal: either }).catch(() => undefined)
    try {
      if (await isSo()) return
      await (changed ? Promise.race([changed, passed]) : passed)
    } finally {
      round.abort()
    }
  }
}
