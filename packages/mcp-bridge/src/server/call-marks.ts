import { isJsonObject } from '@toolblocks/protocol'
import { RpcError, SERVER_ERROR } from '../wire/message.ts'
import { type SharedDocuments, sweepDocuments } from './shared-documents.ts'

/** Decides which replica executes a call that one has passed on to another: the first to write its document. */
export interface CallMarks {
  /** Marks that a call begins, before anything is sent or started for it. Rejects with an `RpcError` if the replica that passed it on has taken it back, or the store fails. */
  begin(id: string): Promise<void>
  /** Takes a call back; resolves to whether the other replica had not begun it, and never will. `sentAt`: milliseconds of `performance.now()`. */
  takeBack(id: string, sentAt: number): Promise<boolean>
  /** Removes the documents of earlier calls. */
  sweep(): Promise<void>
}

const CALLS = 'mcp-call'
/** Milliseconds in which a document decides. */
const KEEP_MS = 10 * 60 * 1000

/** Keeps the marks of calls in shared documents. */
export function createCallMarks(documents: SharedDocuments): CallMarks {
  const mark = async (id: string, state: 'begun' | 'taken'): Promise<boolean> =>
    (
      await documents.write({
        collection: CALLS,
        id,
        version: 0,
        state,
        value: { writtenAt: Date.now() },
      })
    ).ok

  return {
    begin: async (id) => {
      const isFirst = await mark(id, 'begun').catch(() => undefined)
      if (isFirst) return
      const reason =
        isFirst === undefined ? 'the store of the sessions fails' : 'another replica executes it'
      throw new RpcError(SERVER_ERROR, `This call was not executed here: ${reason}.`)
    },
    takeBack: async (id, sentAt) => {
      // A process that was stopped for long may find that the document has been removed.
      if (performance.now() - sentAt > KEEP_MS / 2) return false
      return await mark(id, 'taken').catch(() => false)
    },
    sweep: async () => await sweepDocuments(documents, { collection: CALLS, keepMs: KEEP_MS }),
  }
}

/** Whether another replica may execute a request if the one that received it has ended before its first effect: a single call that continues nothing. */
export function canBeTakenBack(body: unknown): boolean {
  if (!isJsonObject(body) || body['method'] !== 'tools/call' || body['id'] === undefined)
    return false
  const { params } = body
  if (!isJsonObject(params)) return false
  return params['task'] === undefined && params['requestState'] === undefined
}
