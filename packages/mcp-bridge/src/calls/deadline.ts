/** The end of a call in active time. */
export interface Deadline {
  /** Aborts at the deadline, and when the call is ended from outside. */
  readonly signal: AbortSignal
  readonly isOver: boolean
  /** Stands still until what it returns is called; several pauses may overlap. */
  pause(): () => void
  /** No more is measured. */
  stop(): void
}

/** Starts a deadline after so much active time. */
export function startDeadline(milliseconds: number, outer: AbortSignal): Deadline {
  const controller = new AbortController()
  let left = milliseconds
  let since = 0
  let timer: NodeJS.Timeout | undefined
  let pauses = 0
  let isOver = false

  function run(): void {
    since = performance.now()
    timer = setTimeout(() => {
      isOver = true
      controller.abort(new Error(`no answer within ${milliseconds} ms`))
    }, left)
  }

  function halt(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    left = Math.max(0, left - (performance.now() - since))
  }

  // Not AbortSignal.any(): it costs as much as a whole call.
  const { signal } = controller
  const abort = (): void => controller.abort(outer.reason)
  if (outer.aborted) abort()
  else outer.addEventListener('abort', abort, { once: true })
  run()
  return {
    signal,
    get isOver() {
      return isOver
    },
    pause: () => {
      pauses += 1
      halt()
      let isPaused = true
      return () => {
        if (!isPaused) return
        isPaused = false
        pauses -= 1
        if (pauses === 0 && !signal.aborted && left >= 0) run()
      }
    },
    stop: () => {
      halt()
      outer.removeEventListener('abort', abort)
      // A question that is answered later must not start it again.
      pauses = Number.POSITIVE_INFINITY
    },
  }
}
