import {
  type ConversationStore,
  type DamagedEvent,
  type EventPage,
  StoreError,
  type StoredEvent,
} from '@toolblocks/conversation-store'

/** A place of which nothing can be proven: what stood there is missing or has changed. */
export type LostEvent = Pick<DamagedEvent, 'seq' | 'problem'>

/** What a conversation has at one place. */
export type StoredEntry = StoredEvent | DamagedEvent | LostEvent

/** Whether a place is lost: what is damaged in another way still has its bytes. */
export function isLostEvent(kept: StoredEntry): kept is LostEvent {
  return 'problem' in kept && !('bytes' in kept)
}

/**
 * All of a conversation in its order, page by page, or what stands behind event `start`; what cannot be read as an event, or not be proven, stands in its place. Throws once the signal
 * aborts, and where nothing of the conversation can be proven.
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

/** A page, or what stands before the first place that is lost, and that place. */
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
