import { requireArguments } from '@toolblocks/protocol/internal'
import type { StoredEvent } from '../events/conversation-event.ts'
import { StoreError } from '../problems/store-error.ts'
import type { ConversationStore, DamagedEvent, EventPage } from '../store/conversation-store.ts'

/** A position that cannot be verified: its event is missing or was changed. */
export type LostEvent = Pick<DamagedEvent, 'seq' | 'problem'>

/** The entry of a conversation at one position. */
export type StoredEntry = StoredEvent | DamagedEvent | LostEvent

/** Whether an entry is lost. An entry that is damaged in another way still has its bytes. */
export function isLostEvent(entry: StoredEntry): entry is LostEvent {
  requireArguments('isLostEvent(entry)', [entry, 'object'])
  return 'problem' in entry && !('bytes' in entry)
}

/** Which entries are read. */
export interface EntriesRequest {
  /** Only entries with a higher number. Default: 0, which reads all. */
  after?: number
  /** Ends the reading with an error. */
  signal?: AbortSignal
}

/**
 * Yields the entries of a conversation in order, page by page. Unreadable or unverifiable ones are in place. Throws once the signal aborts, and if no
 * entry can be verified.
 */
export async function* readEntries(
  store: ConversationStore,
  conversation: string,
  request: EntriesRequest = {},
): AsyncGenerator<StoredEntry> {
  requireArguments(
    'readEntries(store, conversation, request)',
    [store, { read: 'function' }],
    [conversation, 'string'],
    [request, { after: 'number?', signal: 'object?' }],
  )
  const { signal } = request
  let { after = 0 } = request
  for (;;) {
    signal?.throwIfAborted()
    const { events, damaged, lost, more } = await readNext(store, conversation, after)
    const entries = [...events, ...damaged, ...lost].toSorted((one, other) => one.seq - other.seq)
    yield* entries
    after = Math.max(after, entries.at(-1)?.seq ?? 0)
    if (!more) return
  }
}

/** Reads a page, or the entries before the first lost one, and that one. */
async function readNext(
  store: ConversationStore,
  id: string,
  after: number,
): Promise<EventPage & { lost: readonly LostEvent[] }> {
  try {
    return { ...(await store.read(id, { after })), lost: [] }
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error
    const { seq = -1, message } = error
    if (seq < after) throw error
    const before = Math.max(seq, after + 1)
    const page = await store.read(id, { after, before })
    const problem = { path: `/${before}`, message, code: 'damaged-event' } as const
    return { ...page, lost: [{ seq: before, problem }], more: true }
  }
}
