// This file runs in a worker: it reads large files while the pages are served, keeps what it has read, and can be ended at any moment.
import { getErrorText } from '@toolblocks/protocol/internal'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { StoreError } from '@toolblocks/conversation-store'
import { parentPort, workerData } from 'node:worker_threads'
import type { FormatName } from '@toolblocks/conversation-store'
import { type ReadStatistics, readStatistics } from '@toolblocks/viewer/reading'
import { readPath } from './read-path.ts'

/** What the worker reads: its `workerData`. */
export interface WorkerTask {
  path: string
  from?: FormatName
}

/** The functions that the worker answers: those of a store, and the statistics of its conversations. */
export interface AskedStore extends Pick<
  ConversationStore,
  'read' | 'list' | 'search' | 'readBytes'
> {
  readStatistics: ReadStatistics
}

/** A call of such a function. */
export type WorkerRequest = {
  [Method in keyof AskedStore]: { id: number; method: Method; args: Parameters<AskedStore[Method]> }
}[keyof AskedStore]

/** What the worker sends. */
export type WorkerMessage =
  /** The share of the work that is done, from 0 to 1. */
  | { kind: 'progress'; share: number }
  | { kind: 'opened'; warnings: readonly string[] }
  | { kind: 'failed'; message: string }
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refused'; id: number; error: Pick<StoreError, 'code' | 'message' | 'seq'> }

/** Texts with at least this number of characters stay in the file until they are shown. */
const TEXTS_ON_DEMAND_FROM = 1024

function send(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  parentPort?.postMessage(message)
}

async function call(store: AskedStore, { method, args }: WorkerRequest): Promise<unknown> {
  switch (method) {
    case 'read':
      return await store.read(...args)
    case 'list':
      return await store.list(...args)
    case 'search':
      return await store.search(...args)
    case 'readBytes':
      return await store.readBytes(...args)
    case 'readStatistics':
      return await store.readStatistics(...args)
  }
}

async function answer(store: AskedStore, request: WorkerRequest): Promise<void> {
  const { id } = request
  try {
    send({ kind: 'answer', id, value: await call(store, request) })
  } catch (error) {
    const message = getErrorText(error)
    const { code, seq } =
      error instanceof StoreError ? error : { code: 'failed' as const, seq: undefined }
    send({ kind: 'refused', id, error: { code, message, seq } })
  }
}

async function serve({ path, from }: WorkerTask): Promise<void> {
  const { store, warnings } = await readPath(path, {
    ...(from && { from }),
    signal: new AbortController().signal,
    textsOnDemandFrom: TEXTS_ON_DEMAND_FROM,
    onProgress: (share) => send({ kind: 'progress', share }),
  })
  const asked = {
    ...store,
    readStatistics: async (id: string) => await readStatistics(store, id),
  }
  parentPort?.on('message', (request: WorkerRequest) => void answer(asked, request))
  send({ kind: 'opened', warnings })
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file that starts the worker passes a task
serve(workerData as WorkerTask).catch((error: unknown) => {
  send({ kind: 'failed', message: getErrorText(error) })
})
