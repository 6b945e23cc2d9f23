import type { ConversationStore } from '@toolblocks/conversation-store'
import { type Kept, readAll } from '../../conversations/open/read-all.ts'

/** Some events of a conversation, and what stands around them, so that a call finds its result, and a result its call. */
export interface EventSpan {
  before: readonly Kept[]
  events: readonly Kept[]
  behind: readonly Kept[]
}

/** How far before an event is looked for the call that it belongs to. */
const BEFORE = 300
/** How far behind an event is looked for what belongs to it: so far at least, and at most. */
const BEHIND = 100
const FARTHEST = 2000

/** Reads the events from one number to another, both inclusive. */
export async function readEvents(
  store: ConversationStore,
  id: string,
  { from, to }: { from: number; to: number },
): Promise<EventSpan> {
  const before: Kept[] = []
  const events: Kept[] = []
  const behind: Kept[] = []
  const unstopped = new AbortController().signal
  let isSettled = false
  for await (const kept of readAll(store, id, unstopped, Math.max(0, from - 1 - BEFORE))) {
    if (kept.seq <= to) {
      if (kept.seq < from) before.push(kept)
      else events.push(kept)
      continue
    }
    if (kept.seq > to + (isSettled ? BEHIND : FARTHEST)) break
    behind.push(kept)
    // The model has spoken again: it had been given the results of before.
    isSettled ||= 'event' in kept && kept.event.type === 'assistant_message'
  }
  return { before, events, behind }
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
