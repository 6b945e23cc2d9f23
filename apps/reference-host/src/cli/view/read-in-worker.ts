import { type ConversationStore, StoreError, readEntries } from '@toolblocks/conversation-store'
import { openConversations } from '@toolblocks/session-import'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReadPath } from './read-path.ts'
import type { AskedStore, WorkerMessage, WorkerRequest, WorkerTask } from './reading-worker.ts'

/** How a path is read in a worker. */
interface ReadInWorker extends WorkerTask {
  /** The number of bytes of the files. */
  bytes: number
  /** Ends the worker, at any moment. */
  signal: AbortSignal
  /** Called with the share of the work that is done, from 0 to 1. */
  onProgress(share: number): void
}

/**
 * Reads the conversations of a path in a worker, so that this thread stays free and Ctrl-C ends the work at once. The worker keeps what it has read:
 * the returned store asks it for each page. Rejects with the reason if nothing can be read, or if the signal aborts.
 */
export async function readInWorker(reading: ReadInWorker): Promise<ReadPath> {
  let tries = 0
  let isWhole = false
  // A worker that replaces one with too little memory reads again what is already known.
  const onProgress = (share: number): void => (isWhole ? undefined : reading.onProgress(share))
  const start = async (): Promise<OpenedWorker> => {
    for (; tries < HEAP_SHARES.length; tries += 1) {
      const opened = await openInWorker({ ...reading, onProgress }, HEAP_SHARES[tries] ?? 1)
      if (opened) return opened
    }
    const most = HEAP_SHARES.at(-1)
    throw new Error(`its conversations need more memory than ${most} times the size of the files`)
  }
  let current = start()
  /** Returns the worker that is asked after another one had too little memory. */
  const restart = async (full: Promise<OpenedWorker>): Promise<OpenedWorker> => {
    if (full === current) {
      tries += 1
      current = start()
    }
    return await current
  }
  const ask: Ask = async (method, args) => {
    const asked = current
    const { ask: askFirst } = await asked
    return await askFirst(method, args).catch(async (error: unknown) => {
      if (!isFull(error)) throw error
      const { ask: askAgain } = await restart(asked)
      return await askAgain(method, args)
    })
  }
  const { warnings } = await current
  isWhole = true
  return {
    store: await createStore(ask, async () => await (await current).close()),
    readStatistics: async (id) => await ask('readStatistics', [id]),
    warnings,
  }
}

/**
 * Sizes of the memory for objects, relative to the files, one tried after the other. With less memory, the engine removes sooner what is not used any
 * more. Only conversations of many short records need a second try.
 */
const HEAP_SHARES = [0.7, 6]

/** Memory for objects in addition, and in any case, in MiB. */
const HEAP_MIB = 16
const LEAST_HEAP_MIB = 64
/** Memory for objects that live only a short time, in MiB. */
const YOUNG_MIB = 3

/** A worker that has read the files. */
interface OpenedWorker {
  warnings: readonly string[]
  ask: Ask
  /** Ends the worker after its last answer. */
  close(): Promise<void>
}

/** Returns `undefined` if the memory is not enough. */
async function openInWorker(
  { path, from, bytes, signal, onProgress }: ReadInWorker,
  share: number,
): Promise<OpenedWorker | undefined> {
  signal.throwIfAborted()
  const workerData: WorkerTask = { path, ...(from && { from }) }
  const heap = Math.ceil(HEAP_MIB + (share * bytes) / MEBIBYTE)
  const maxOldGenerationSizeMb = Math.max(LEAST_HEAP_MIB, heap)
  const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: YOUNG_MIB }
  const worker = new Worker(WORKER, { workerData, resourceLimits })
  const calls = createCalls(worker)
  const terminate = (): void => void worker.terminate()
  signal.addEventListener('abort', terminate, { once: true })
  const opened = Promise.withResolvers<{ warnings: readonly string[] }>()
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'progress') onProgress(message.share)
    else if (message.kind === 'opened') opened.resolve(message)
    else if (message.kind === 'failed') opened.reject(new Error(message.message))
    else calls.settle(message)
  })
  const end = (reason: Error): void => {
    opened.reject(reason)
    calls.end(reason)
  }
  worker.once('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
  worker.once('exit', () => {
    end(new StoreError('closed', 'the reading of the files was ended'))
    signal.removeEventListener('abort', terminate)
  })
  try {
    const { warnings } = await opened.promise
    return { warnings, ask: calls.ask, close: async () => await calls.idle().then(terminate) }
  } catch (error) {
    terminate()
    signal.throwIfAborted()
    if (isFull(error)) return undefined
    throw error
  }
}

/** The worker beside this file, in the sources and in the built command. */
const WORKER = new URL(
  `./reading-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
  import.meta.url,
)

const MEBIBYTE = 1024 * 1024

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** The results of the functions that the worker answers. */
type WorkerAnswers = { [Method in keyof AskedStore]: Awaited<ReturnType<AskedStore[Method]>> }

/** Calls a function that the worker answers. */
type Ask = <Method extends keyof AskedStore>(
  method: Method,
  args: Parameters<AskedStore[Method]>,
) => Promise<WorkerAnswers[Method]>

/** The calls of one worker. */
interface WorkerCalls {
  ask: Ask
  settle(message: Extract<WorkerMessage, { kind: 'answer' | 'refused' }>): void
  /** Rejects all calls, also later ones. */
  end(reason: Error): void
  /** Settles when all calls are settled. */
  idle(): Promise<void>
}

function createCalls(worker: Worker): WorkerCalls {
  const open = new Map<number, PromiseWithResolvers<unknown>>()
  let next = 1
  let ended: Error | undefined
  return {
    ask: async (method, args) => {
      if (ended) throw ended
      const id = next
      next += 1
      const call = Promise.withResolvers<unknown>()
      open.set(id, call)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the arguments are those of the method
      const request = { id, method, args } as WorkerRequest
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
      worker.postMessage(request)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the worker returns what the method returns
      return (await call.promise) as never
    },
    settle: (message) => {
      const call = open.get(message.id)
      open.delete(message.id)
      if (message.kind === 'answer') call?.resolve(message.value)
      else {
        const { code, message: text, seq } = message.error
        call?.reject(new StoreError(code, text, seq === undefined ? {} : { seq }))
      }
    },
    end: (reason) => {
      ended ??= reason
      for (const { reject } of open.values()) reject(ended)
      open.clear()
    },
    idle: async () => {
      await Promise.allSettled([...open.values()].map(async ({ promise }) => await promise))
    },
  }
}

/** Creates a store that asks the worker. It refuses to change anything. */
async function createStore(ask: Ask, close: () => Promise<void>): Promise<ConversationStore> {
  const nothing = await openConversations([])
  const store: ConversationStore = {
    ...nothing,
    read: async (...args) => await ask('read', args),
    list: async (...args) => await ask('list', args),
    search: async (...args) => await ask('search', args),
    readBytes: async (...args) => await ask('readBytes', args),
    follow: async function* (id, { after = 0, signal } = {}) {
      for await (const entry of readEntries(store, id, { after }))
        if (signal?.aborted === true) return
        else if ('event' in entry || 'bytes' in entry) yield entry
      // Nothing is ever added.
      if (signal && !signal.aborted) await once(signal, 'abort')
    },
    close,
  }
  return store
}
