import type { ConversationStore, DamagedEvent } from '../conversation-store.ts'
import type { StoredEvent } from '../events/conversation-event.ts'
import type { EventRows } from '../rows/event-rows.ts'

/** Where to follow a conversation from, and for how long. */
export interface FollowRequest {
  /** Events with a greater `seq`; default 0, so from the first. */
  after?: number
  /** Ends the following; without it, leaving the loop does. */
  signal?: AbortSignal
}

/**
 * Gives the events that are there and those that are appended, each once and in their order. It ends when the signal aborts; what is thrown while a
 * page is read is thrown.
 */
export async function* followConversation(
  rows: EventRows,
  read: ConversationStore['read'],
  conversation: string,
  { after = 0, signal }: FollowRequest,
): AsyncGenerator<StoredEvent | DamagedEvent> {
  const leaving = new AbortController()
  const ended = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal
  let last = after
  try {
    while (!ended.aborted) {
      const { events, damaged, more } = await read(conversation, { after: last })
      const kept = [...events, ...damaged].toSorted((one, other) => one.seq - other.seq)
      for (const each of kept) {
        last = each.seq
        yield each
      }
      if (!more && kept.length === 0) await rows.appended(conversation, last, ended)
    }
  } finally {
    leaving.abort()
  }
}
