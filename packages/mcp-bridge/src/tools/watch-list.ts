/** How long after a change the list is read again: servers announce every tool they add. */
const GATHER_MS = 300

/** Reads a list again after it changed. */
export interface ListWatch {
  changed(): void
  /** What changed before is read now. */
  start(): void
  stop(): void
}

/** Reads the list once for changes that come close together, and never twice at once. */
export function watchList(read: () => Promise<void>): ListWatch {
  let timer: NodeJS.Timeout | undefined
  let isStarted = false
  let isStopped = false
  let isChanged = false
  let reading: Promise<void> | undefined

  function schedule(): void {
    isChanged = true
    // Not put off by later changes: a server may announce without end.
    if (!isStarted || isStopped || reading || timer) return
    timer = setTimeout(() => {
      timer = undefined
      isChanged = false
      reading = read().finally(() => {
        reading = undefined
        if (isChanged) schedule()
      })
    }, GATHER_MS)
    timer.unref()
  }

  return {
    changed: schedule,
    start: () => {
      isStarted = true
      if (isChanged) schedule()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
