/** How long work may continue after an abort, and what happens then. */
export interface Grace<Value> {
  signal: AbortSignal
  /** Milliseconds. */
  ms: number
  /** Returns the replacement value; it may throw. Called only if the work is late. */
  whenLate: () => Value
}

/**
 * Returns the value of the work. If its signal has aborted and it does not settle within its grace period, returns the value of `whenLate`. Its
 * later value or rejection is ignored.
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
