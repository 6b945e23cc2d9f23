import { PORT_GRACE_MS, withinGrace } from '@toolblocks/protocol'

/** What becomes of work whose signal aborts before its turn. */
interface Leaving<Value> {
  signal: AbortSignal
  whenAborted: () => Value
}

/**
 * Does one thing after the other, in the order they came. One whose signal aborts before its turn leaves at once; in its turn it
 * sees the abort itself.
 */
export type Queue = <Value>(work: () => Promise<Value>, leaving: Leaving<Value>) => Promise<Value>

/**
 * Makes a queue: one for everything that asks the same person. Work that does not settle after its abort loses its turn, so that nobody waits
 * behind it for ever.
 */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()

  return async function queued<Value>(
    work: () => Promise<Value>,
    { signal, whenAborted }: Leaving<Value>,
  ): Promise<Value> {
    return await new Promise<Value>((resolve, reject) => {
      const leave = (): void => resolve(whenAborted())
      signal.addEventListener('abort', leave, { once: true })
      last = last.then(async () => {
        signal.removeEventListener('abort', leave)
        if (signal.aborted) leave()
        else {
          const done = work().then(resolve, reject)
          await withinGrace(async () => await done, {
            signal,
            ms: PORT_GRACE_MS,
            whenLate: () => undefined,
          })
        }
      })
    })
  }
}
