/** Hears signals for many at once, with one listener on each. */
export interface HeardAborts<Item> {
  /** Does nothing where the signal has aborted. */
  add(item: Item, signal: AbortSignal): void
  remove(item: Item, signal: AbortSignal): void
}

/**
 * Tells each item when its signal aborts. The signal of the last item is heard on, because the next one mostly has it too; all others are
 * left alone as soon as nobody needs them.
 */
export function hearAborts<Item>(
  onAbort: (item: Item, reason: unknown) => void,
): HeardAborts<Item> {
  const heard = new Map<AbortSignal, { items: Set<Item>; abort: () => void }>()
  let idle: AbortSignal | undefined

  function listen(signal: AbortSignal): Set<Item> {
    const items = new Set<Item>()
    const abort = (): void => {
      for (const item of items) onAbort(item, signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
    heard.set(signal, { items, abort })
    return items
  }

  function leave(signal: AbortSignal): void {
    const known = heard.get(signal)
    if (!known || known.items.size > 0) return
    signal.removeEventListener('abort', known.abort)
    heard.delete(signal)
  }

  return {
    add: (item, signal) => {
      if (!signal.aborted) (heard.get(signal)?.items ?? listen(signal)).add(item)
    },
    remove: (item, signal) => {
      const items = heard.get(signal)?.items
      if (!items?.delete(item) || items.size > 0 || idle === signal) return
      if (idle) leave(idle)
      idle = signal
    },
  }
}
