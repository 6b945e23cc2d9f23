import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationStore, StoredDocument } from '@toolblocks/conversation-store'
import type { JsonValue } from '@toolblocks/protocol'

/** What a client has used. */
export interface Usage {
  /** The calls that run. */
  running: number
  /** What was used in the last minute, the oldest first. */
  spent: readonly Spent[]
}

/** What was used in one second. */
interface Spent {
  /** Milliseconds since that second began. */
  age: number
  calls: number
  bytes: number
}

/** Counts what clients use, at this process and at the other replicas. */
export interface CallUsage {
  /** Asks the other replicas what they have counted, if that was not done in the last second. */
  refresh(): Promise<void>
  /** Returns what a client has used: here until now, at other replicas until they were asked. */
  read(client: string): Usage
  /** Counts. `running`: 1 for a call that begins, -1 for one that ends. */
  count(client: string, used: { running?: 1 | -1; calls?: number; bytes?: number }): void
  /** Takes what this process counts away from the others. */
  close(): Promise<void>
}

const COLLECTION = 'serve-usage'
const SECOND_MS = 1000
const MINUTE_MS = 60_000
/** Milliseconds between two exchanges with the other replicas. */
const EXCHANGE_MS = 1000
/** Milliseconds without a sign of life after which the calls of a replica do not run any more. It gives one every second while they do. */
const DEAD_AFTER_MS = 6000

/** Milliseconds that a call waits for the store. */
const STORE_MS = 1000

interface CountedUse {
  running: number
  /** By the second, of `performance.now()`. */
  spent: Map<number, { calls: number; bytes: number }>
}

/** What another replica has said. */
interface Heard {
  usage: ReadonlyMap<string, Usage>
  /** Milliseconds of `performance.now()` when it was written, by the clock of the store. */
  at: number
}

/**
 * Counts what clients use. `documents`: those that the replicas share; each replica writes one, at most once a second and only while limited clients call, and reads the
 * others at most as often.
 */
export function createCallUsage(
  documents?: ConversationStore['documents'],
  { exchangeMs = EXCHANGE_MS }: { exchangeMs?: number } = {},
): CallUsage {
  const id = randomUUID()
  const counted = new Map<string, CountedUse>()
  let heard: readonly Heard[] = []
  let exchangedAt = -Infinity
  let exchanging: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let version = 0
  let isClosed = false

  function forget(now: number): void {
    for (const [client, { running, spent }] of counted) {
      for (const second of spent.keys())
        if (now - second >= MINUTE_MS + SECOND_MS) spent.delete(second)
      if (running === 0 && spent.size === 0) counted.delete(client)
    }
  }

  function readOwn(client: string, now: number): Usage {
    const { running, spent } = counted.get(client) ?? { running: 0, spent: new Map() }
    return {
      running,
      spent: [...spent].map(([second, used]) => ({ age: now - second, ...used })),
    }
  }

  /** Writes what this process counts, and reads what the others do. */
  async function exchange(shared: ConversationStore['documents']): Promise<void> {
    const now = performance.now()
    forget(now)
    const value = [...counted.keys()].map((client): JsonValue => {
      const { running, spent } = readOwn(client, now)
      return [client, running, spent.map(({ age, calls, bytes }) => [age, calls, bytes])]
    })
    const write = { collection: COLLECTION, id, version, state: 'counts', value }
    const { document } = await shared.write(write)
    version = document?.version ?? 0
    if (!document) return
    const { documents: all } = await shared.list(COLLECTION, { limit: Infinity })
    const storeNow = Date.parse(document.at)
    const others: Heard[] = []
    for (const other of all) {
      if (other.id === id) continue
      const age = Math.max(0, storeNow - Date.parse(other.at))
      if (age > MINUTE_MS * 2) await shared.remove(COLLECTION, other.id, other.version)
      else others.push({ usage: readUsage(other), at: now - age })
    }
    heard = others
  }

  async function exchangeOnce(): Promise<void> {
    if (!documents || isClosed) return
    exchangedAt = performance.now()
    exchanging ??= exchange(documents)
      .catch(() => undefined)
      .finally(() => (exchanging = undefined))
    // Without the store, each replica counts alone.
    await Promise.race([exchanging, pause(STORE_MS, undefined, { ref: false })])
  }

  function schedule(): void {
    if (!documents || isClosed || timer !== undefined) return
    timer = setTimeout(() => {
      void exchangeOnce().finally(() => {
        timer = undefined
        // The others learn every second that calls still run.
        if ([...counted.values()].some(({ running }) => running > 0)) schedule()
      })
    }, exchangeMs).unref()
  }

  return {
    refresh: async () => {
      if (performance.now() - exchangedAt >= exchangeMs) await exchangeOnce()
    },
    read: (client) => {
      const now = performance.now()
      const all = [readOwn(client, now)]
      for (const { usage, at } of heard) {
        const other = usage.get(client)
        if (!other) continue
        const passed = now - at
        all.push({
          running: passed < DEAD_AFTER_MS ? other.running : 0,
          spent: other.spent.map(({ age, ...used }) => ({ ...used, age: age + passed })),
        })
      }
      return {
        running: all.reduce((sum, { running }) => sum + running, 0),
        spent: all
          .flatMap(({ spent }) => spent)
          .filter(({ age }) => age < MINUTE_MS)
          .toSorted((one, other) => other.age - one.age),
      }
    },
    count: (client, { running = 0, calls = 0, bytes = 0 }) => {
      const known = counted.get(client) ?? { running: 0, spent: new Map() }
      counted.set(client, known)
      known.running += running
      if (calls > 0 || bytes > 0) {
        const now = performance.now()
        // The limit holds for every minute, so a second counts from its last moment on.
        const second = Math.ceil(now / SECOND_MS) * SECOND_MS
        const before = known.spent.get(second) ?? { calls: 0, bytes: 0 }
        known.spent.set(second, { calls: before.calls + calls, bytes: before.bytes + bytes })
        if (!documents) forget(now)
      }
      schedule()
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await exchanging
      if (documents && version > 0)
        await documents.remove(COLLECTION, id, version).catch(() => undefined)
    },
  }
}

function readUsage({ value }: StoredDocument): ReadonlyMap<string, Usage> {
  const usage = new Map<string, Usage>()
  for (const each of Array.isArray(value) ? value : []) {
    const [client, running, spent] = Array.isArray(each) ? each : []
    if (typeof client !== 'string' || typeof running !== 'number' || !Array.isArray(spent)) continue
    usage.set(client, { running, spent: spent.flatMap(readSpent) })
  }
  return usage
}

function readSpent(value: unknown): readonly Spent[] {
  const [age, calls, bytes]: readonly unknown[] = Array.isArray(value) ? value : []
  const isSpent = typeof age === 'number' && typeof calls === 'number' && typeof bytes === 'number'
  return isSpent ? [{ age, calls, bytes }] : []
}
