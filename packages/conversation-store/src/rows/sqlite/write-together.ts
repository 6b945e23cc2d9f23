import { StoreError } from '../../problems/store-error.ts'

/** Writes of one connection that may share a transaction. */
export interface WritesTogether {
  /** Writes in a transaction: in one of its own if it is the first of a turn of the event loop, otherwise with all others of that turn. */
  write<Value>(work: () => Value, conversation: string): Promise<Value>
  /** Settles when everything so far is written, or has failed. */
  settled(): Promise<void>
}

/** A write that waits for the end of the turn. */
interface WaitingWrite {
  work(): unknown
  conversation: string
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Runs work in one transaction; rejects with a `StoreError`, and then nothing was kept. It may run the work again. */
export type Transact = <Value>(work: () => Value, conversation?: string) => Promise<Value>

/**
 * Lets writers share transactions, because each waits for the disk, and so does the whole process meanwhile. A single writer never waits for others: only what
 * is written in the same turn of the event loop after another write is written with it, when the turn ends.
 */
export function writeTogether(transact: Transact): WritesTogether {
  /** Defined: something was written in this turn. */
  let waiting: WaitingWrite[] | undefined
  const running = new Set<Promise<unknown>>()

  async function track<Value>(written: Promise<Value>): Promise<Value> {
    running.add(written)
    try {
      return await written
    } finally {
      running.delete(written)
    }
  }

  function begin(): void {
    waiting = []
    setImmediate(end)
  }

  function end(): void {
    const writes = waiting ?? []
    waiting = undefined
    if (writes.length === 0) return
    // These are the first of the next turn.
    begin()
    void track(writeAll(writes))
  }

  async function writeAll(writes: readonly WaitingWrite[]): Promise<void> {
    const [first, ...others] = writes
    if (first && others.length === 0) return await writeAlone(first)
    try {
      const values = await transact(() => writes.map(({ work }) => work()))
      for (const [index, { resolve }] of writes.entries()) resolve(values[index])
    } catch (error) {
      // Only those fail that fail alone. Nobody waits a second time for another process.
      if (error instanceof StoreError && error.code === 'busy')
        for (const { reject } of writes) reject(error)
      else for (const write of writes) await writeAlone(write)
    }
  }

  async function writeAlone({ work, conversation, resolve, reject }: WaitingWrite): Promise<void> {
    await transact(work, conversation).then(resolve, reject)
  }

  return {
    write: async (work, conversation) => {
      if (!waiting) {
        begin()
        return await track(transact(work, conversation))
      }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.push({ work, conversation, resolve, reject })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is resolved with the value of its own work
      return (await track(promise)) as Awaited<ReturnType<typeof work>>
    },
    settled: async () => {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}
