import { setTimeout as delay } from 'node:timers/promises'

/** Asks again and again, until it is so or the signal aborts. What asking throws is thrown. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
  { everyMs, signal }: { everyMs: number; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted && !(await isSo()))
    await delay(everyMs, undefined, { signal, ref: true }).catch(() => undefined)
}
