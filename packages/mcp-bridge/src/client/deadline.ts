/** The end of a call in active time: at the deadline, or when the call is ended from outside. */
export interface Deadline {
  /** Aborts at the end, with the reason. */
  readonly signal: AbortSignal
  /** It ended because of the time. */
  readonly isOver: boolean
  /** Stands still until what it returns is called; several pauses may overlap. */
  pause(): () => void
  /** No more is measured, and the outer signal is left alone. */
  stop(): void
}

/** The longest time that Node's timers know. */
export const NEVER_MS = 2 ** 31 - 1

/** Starts a deadline after so much active time, under a signal that may live much longer than this one call. */
export function startDeadline(milliseconds: number, outer: AbortSignal): Deadline {
  const ending = new AbortController()
  let isOver = false
  let left = Math.min(milliseconds, NEVER_MS)
  let startedAt = 0
  let pauses = 0
  let timer: NodeJS.Timeout | undefined

  function run(): void {
    startedAt = performance.now()
    timer = setTimeout(expire, left).unref()
  }

  function expire(): void {
    isOver = true
    stop()
    ending.abort(new Error(`no answer within ${milliseconds} ms`))
  }

  function abort(): void {
    stop()
    ending.abort(outer.reason)
  }

  function stop(): void {
    clearTimeout(timer)
    outer.removeEventListener('abort', abort)
    // A question that is answered later must not start it again.
    pauses = Number.POSITIVE_INFINITY
  }

  if (outer.aborted) abort()
  else {
    outer.addEventListener('abort', abort)
    run()
  }
  return {
    signal: ending.signal,
    get isOver() {
      return isOver
    },
    pause: () => {
      if (pauses === 0) {
        clearTimeout(timer)
        left = Math.max(0, left - (performance.now() - startedAt))
      }
      pauses += 1
      let isPaused = true
      return () => {
        if (!isPaused) return
        isPaused = false
        pauses -= 1
        if (pauses === 0) run()
      }
    },
    stop,
  }
}
