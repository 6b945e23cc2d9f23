import type { ConversationStore } from '@toolblocks/conversation-store'
import { type Kept, readAll } from '../../conversations/open/read-all.ts'

/** Some events of a conversation, and what stands behind them, so that a result finds what the model was given of it. */
export interface EventSpan {
  events: readonly Kept[]
  behind: readonly Kept[]
}

/** How far behind an event is looked for what belongs to it. */
const BEHIND = 100

/** Reads the events from one number to another, both inclusive. */
export async function readEvents(
  store: ConversationStore,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<EventSpan> {
  const all: Kept[] = []
  const unstopped = new AbortController().signal
  for await (const kept of readAll(store, id, unstopped, from - 1)) {
    if (kept.seq > to + BEHIND) break
    all.push(kept)
  }
  const isWithin = ({ seq }: Kept): boolean => seq <= to
  return { events: all.filter(isWithin), behind: all.filter((kept) => !isWithin(kept)) }
}

/** The number of the last event; 0 where there is none. */
export async function readLast(store: ConversationStore, id: string): Promise<number> {
  try {
    const { events, damaged } = await store.read(id, { before: Infinity, limit: 1 })
    return Math.max(0, ...[...events, ...damaged].map(({ seq }) => seq))
  } catch {
    // The end is damaged: what the list says is all that is known of it.
    const { conversations } = await store.list({ limit: Infinity })
    return conversations.find((summary) => summary.id === id)?.events ?? 0
  }
}
