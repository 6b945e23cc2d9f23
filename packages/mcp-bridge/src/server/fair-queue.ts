import { MAX_SERVED_CALLS, MAX_WAITING_CALLS } from '@toolblocks/protocol/internal'
import { RpcError, SERVER_ERROR } from '../wire/message.ts'

/** How many calls run and wait. */
export interface QueueLimits {
  /** Calls and reads that run at the same time, of all clients together. Default: 64. */
  readonly maxRunning?: number
  /** Calls of one client that wait for a place. Default: 1000. */
  readonly maxWaiting?: number
}

/** The call or read that takes a place. */
interface Entrant {
  /** Identifies its client. */
  client: string
  /** Ends the wait. */
  signal: AbortSignal
  /** Called if it has to wait, with the number of calls of this client before it. */
  onWait?: ((before: number) => void) | undefined
}

/** A place that a call has. */
export interface CallSlot {
  /** Gives the place to others while a promise is pending, for example while a person is asked, and takes one at once afterwards. */
  lend<Value>(work: () => Promise<Value>): Promise<Value>
}

/** Places for calls, which clients take in turn. */
export interface FairQueue {
  /** Runs work when there is a place. Rejects with an `RpcError` if too many calls of the client wait, or with the reason of its signal. */
  run<Value>(entrant: Entrant, work: (slot: CallSlot) => Promise<Value>): Promise<Value>
}

/** Places of one client for each free place. Some are always free for a client that comes, however many long calls another one makes. */
const PLACES_FOR_EACH_FREE = 3

/**
 * Creates a queue. A place that becomes free goes to the next client in turn, and a client takes one only while it has less than three for each free
 * one, so a client with many or long calls delays itself and not others. Calls of one client run in their order.
 */
export function createFairQueue({
  maxRunning = MAX_SERVED_CALLS,
  maxWaiting = MAX_WAITING_CALLS,
}: QueueLimits = {}): FairQueue {
  let running = 0
  /** The places of each client. */
  const held = new Map<string, number>()
  /** The waiting calls of each client that may not take a place now. The first client is the next one. */
  const waiting = new Map<string, Set<() => void>>()

  function canTake(client: string): boolean {
    return (held.get(client) ?? 0) < PLACES_FOR_EACH_FREE * (maxRunning - running)
  }

  function take(client: string): void {
    running += 1
    held.set(client, (held.get(client) ?? 0) + 1)
  }

  function release(client: string): void {
    running -= 1
    const left = (held.get(client) ?? 0) - 1
    if (left > 0) held.set(client, left)
    else held.delete(client)
    admit()
  }

  function admit(): void {
    for (;;) {
      const next = [...waiting].find(([client]) => canTake(client))
      if (!next) return
      const [client, calls] = next
      const [start] = calls
      waiting.delete(client)
      if (!start) continue
      calls.delete(start)
      // After all other clients.
      if (calls.size > 0) waiting.set(client, calls)
      take(client)
      start()
    }
  }

  /** Resolves when the call has a place. */
  async function enter({ client, signal, onWait }: Entrant): Promise<void> {
    if (canTake(client)) {
      take(client)
      return
    }
    const calls = waiting.get(client) ?? new Set()
    if (calls.size >= maxWaiting) throw refuse(maxWaiting)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => {
      calls.delete(resolve)
      if (calls.size === 0 && waiting.get(client) === calls) waiting.delete(client)
      reject(signal.reason)
    }
    onWait?.(calls.size)
    waiting.set(client, calls.add(resolve))
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
    await promise.finally(() => signal.removeEventListener('abort', leave))
  }

  return {
    run: async (entrant, work) => {
      await enter(entrant)
      try {
        return await work({
          lend: async (wait) => {
            release(entrant.client)
            try {
              return await wait()
            } finally {
              take(entrant.client)
            }
          },
        })
      } finally {
        release(entrant.client)
      }
    },
  }
}

const RETRY_AFTER_MS = 1000

/** The error of a client whose calls fill its queue. Its host can send the call again: it was not executed. */
function refuse(maxWaiting: number): RpcError {
  return new RpcError(
    SERVER_ERROR,
    `Too many calls: ${maxWaiting} calls of this client wait already. This call was not executed; send it again later.`,
    { retryAfterMs: RETRY_AFTER_MS },
  )
}
