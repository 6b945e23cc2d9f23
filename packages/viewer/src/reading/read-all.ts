import {
  type ConversationStore,
  type DamagedEvent,
  type EventPage,
  StoreError,
  type StoredEvent,
} from '@toolblocks/conversation-store'

/** A position that cannot be verified: its event is missing or was changed. */
export type LostEvent = Pick<DamagedEvent, 'seq' | 'problem'>

/** The entry of a conversation at one position. */
export type StoredEntry = StoredEvent | DamagedEvent | LostEvent

/** Whether an entry is lost. An entry that is damaged in another way still has its bytes. */
export function isLostEvent(kept: StoredEntry): kept is LostEvent {
  return 'problem' in kept && !('bytes' in kept)
}

/**
 * Yields all entries of a conversation in order, page by page, or those after event `start`. Unreadable or unverifiable ones are in place. Throws
 * once the signal aborts, and if no entry can be verified.
 */
export async function* readAll(
  store: ConversationStore,
  id: string,
  signal: AbortSignal,
  start = 0,
): AsyncGenerator<StoredEntry> {
  let after = start
  for (;;) {
    signal.throwIfAborted()
    const { events, damaged, lost, more } = await readNext(store, id, after)
    const kept = [...events, ...damaged, ...lost].toSorted((one, other) => one.seq - other.seq)
    yield* kept
    after = Math.max(after, kept.at(-1)?.seq ?? 0)
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
