import type { ConversationStore, DamagedEvent, StoredEvent } from '@toolblocks/conversation-store'

/** What a conversation has at one place. */
export type Kept = StoredEvent | DamagedEvent

/** All of a conversation in its order, page by page; what cannot be read as an event stands in its place. Throws once the signal aborts. */
export async function* readAll(
  store: ConversationStore,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Kept> {
  let after = 0
  for (;;) {
    signal.throwIfAborted()
    const { events, damaged, more } = await store.read(id, { after })
    yield* [...events, ...damaged].toSorted((one, other) => one.seq - other.seq)
    after = Math.max(after, events.at(-1)?.seq ?? 0, damaged.at(-1)?.seq ?? 0)
    if (!more) return
  }
}
