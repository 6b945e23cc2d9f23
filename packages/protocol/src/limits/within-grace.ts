/** How long work may go on after an abort, and what is said where it does. */
export interface Grace<Value> {
  signal: AbortSignal
  /** Milliseconds. */
  ms: number
  /** What it comes to instead; it may throw. Called only where the work is late. */
  whenLate: () => Value
}

/**
 * What work comes to; where its signal has aborted and it does not settle within its grace, what `whenLate` says. What it comes to then is
 * dropped, a rejection too.
 */
export async function withinGrace<Value>(
  work: () => Value | Promise<Value>,
  { signal, ms, whenLate }: Grace<Value>,
): Promise<Value> {
  return await new Promise<Value>((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const begin = (): void => {
      timer = setTimeout(() => {
        try {
          resolve(whenLate())
        } catch (error) {
          reject(error)
        }
      }, ms)
    }
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', begin)
    }
    if (signal.aborted) begin()
    else signal.addEventListener('abort', begin, { once: true })
    const running = (async () => await work())()
    running.then(resolve, reject)
    running.then(end, end)
  })
}
