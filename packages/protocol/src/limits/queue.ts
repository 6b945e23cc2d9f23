/** What happens to work whose signal aborts before its turn. */
export interface QueueAbort<Value> {
  signal: AbortSignal
  /** Returns the value that the work settles with instead of starting. */
  whenAborted: () => Value
}

/**
 * Runs work in the order of its arrival. Work whose signal aborts before its turn never starts and settles at once. Running work handles the abort
 * itself.
 */
export type Queue = <Value>(
  work: () => Promise<Value>,
  leaving?: QueueAbort<Value>,
) => Promise<Value>

/** Creates a queue with this number of parallel places. */
export function createQueue(places = 1): Queue {
  const waiting = new Set<(turn: 'come' | 'left') => void>()
  let free = places

  async function untilTurn(signal?: AbortSignal): Promise<'come' | 'left'> {
    return await new Promise((resolve) => {
      const leaveQueue = (): void => end('left')
      const end = (turn: 'come' | 'left'): void => {
        waiting.delete(end)
        signal?.removeEventListener('abort', leaveQueue)
        resolve(turn)
      }
      waiting.add(end)
      signal?.addEventListener('abort', leaveQueue, { once: true })
    })
  }

  return async (work, leaving) => {
    if (leaving?.signal.aborted) return leaving.whenAborted()
    if (free > 0) free -= 1
    else if ((await untilTurn(leaving?.signal)) === 'left' && leaving) return leaving.whenAborted()
    try {
      return await work()
    } finally {
      const [next] = waiting
      if (next) next('come')
      else free += 1
    }
  }
}

/** Runs work in one queue for each key. */
export type Queues = <Value>(
  key: string,
  work: () => Promise<Value>,
  leaving?: QueueAbort<Value>,
) => Promise<Value>

/** Creates queues with this number of parallel places each. A queue is kept only while it has work, so the number of keys is not limited. */
export function createQueues(places = 1): Queues {
  const queues = new Map<string, { run: Queue; works: number }>()
  return async (key, work, leaving) => {
    const queue = queues.get(key) ?? { run: createQueue(places), works: 0 }
    queues.set(key, queue)
    queue.works += 1
    try {
      return await queue.run(work, leaving)
    } finally {
      queue.works -= 1
      if (queue.works === 0) queues.delete(key)
    }
  }
}
