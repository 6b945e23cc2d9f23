/** What shall be told when its time has come. */
export interface Due {
  /** As `performance.now()` counts. */
  dueAt: number
}

/** Waits for many at once with one timer, which keeps no process alive. */
export interface Alarm<Item extends Due> {
  set(item: Item): void
  clear(item: Item): void
}

/** The longest time that Node's timers know. */
const MAX_WAIT_MS = 2 ** 31 - 1

/** Rings for each item once, never before it is due. The timer of a cleared item stays: setting and clearing cost next to nothing. */
export function createAlarm<Item extends Due>(ring: (item: Item) => void): Alarm<Item> {
  const items = new Set<Item>()
  let timer: NodeJS.Timeout | undefined
  let wakesAt = Number.POSITIVE_INFINITY

  function wakeAt(time: number, now: number): void {
    clearTimeout(timer)
    wakesAt = time
    timer = setTimeout(wake, Math.min(Math.ceil(time - now), MAX_WAIT_MS))
    timer.unref()
  }

  function wake(): void {
    wakesAt = Number.POSITIVE_INFINITY
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const item of items) {
      if (item.dueAt > now) next = Math.min(next, item.dueAt)
      else if (items.delete(item)) ring(item)
    }
    if (next < wakesAt) wakeAt(next, now)
  }

  return {
    set: (item) => {
      items.add(item)
      if (item.dueAt < wakesAt) wakeAt(item.dueAt, performance.now())
    },
    clear: (item) => void items.delete(item),
  }
}
