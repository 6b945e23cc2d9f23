/** The parts of a time limit. */
const PARTS = 10

/** The longest time of a timer. */
const MAX_PART_MS = 2 ** 31 - 1

/**
 * Calls a function after this many milliseconds, unless the returned function is called before; that one returns the milliseconds that are left. While
 * this process cannot run, at most a tenth of the time passes, and what has arrived meanwhile is read first: the process is late itself, and must not take
 * what waits for it for missing. `ref`: whether the timer keeps the process alive. Default: `true`.
 */
export function limitTime(
  milliseconds: number,
  onLate: () => void,
  { ref = true }: { ref?: boolean } = {},
): () => number {
  const partMs = Math.min(milliseconds / PARTS, MAX_PART_MS)
  let parts = 0
  let since = performance.now()
  let isStopped = false
  const timer = setInterval(() => {
    parts += 1
    since = performance.now()
    if (parts < PARTS) return
    clearInterval(timer)
    // After the next time that the event loop has read from all connections.
    afterReading(() => {
      if (!isStopped) onLate()
    })
  }, partMs)
  if (!ref) timer.unref()
  return () => {
    isStopped = true
    clearInterval(timer)
    const passed = parts * partMs + Math.min(performance.now() - since, partMs)
    return Math.max(0, milliseconds - passed)
  }
}

function afterReading(then: () => void): void {
  // A browser has no such function.
  const defer: ((callback: () => void) => void) | undefined = globalThis.setImmediate
  if (defer) defer(then)
  else setTimeout(then, 0)
}
