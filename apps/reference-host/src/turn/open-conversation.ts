import type {
  ConversationEvent,
  ConversationStore,
  StoredEvent,
} from '@toolblocks/conversation-store'
import type { RecordEvents } from '../record-events.ts'

/** A conversation in use: all of its events, and the one way to add some. */
export interface OpenConversation {
  id: string
  events(): readonly StoredEvent[]
  /** Keeps events in the order of the calls. Rejects with a `ConversationConflict` where another process wrote meanwhile. */
  record: RecordEvents
}

/** Another process has written to the conversation that this one was about to go on with. */
export class ConversationConflict extends Error {
  override name = 'ConversationConflict'
}

/** How a conversation is used. */
export interface OpenConversationOptions {
  /** Told of each event once it is kept. */
  onEvent?: (event: StoredEvent) => void
}

/** Opens a conversation that may have events already. */
export async function openConversation(
  store: ConversationStore,
  id: string,
  { onEvent = () => {} }: OpenConversationOptions = {},
): Promise<OpenConversation> {
  const { events: before } = await store.read(id, { limit: Infinity })
  const known = [...before]
  let end = known.at(-1)?.seq ?? 0
  let last: Promise<unknown> = Promise.resolve()

  async function append(events: readonly ConversationEvent[]): Promise<void> {
    const at = new Date().toISOString()
    const dated = events.map((event) => ({ event, at }))
    const { ok } = await store.append(id, end, dated)
    if (!ok)
      throw new ConversationConflict(
        `Another program writes to the conversation "${id}". What it wrote is kept; this one can go on with --resume ${id}.`,
      )
    for (const each of dated) {
      end += 1
      const stored = { seq: end, ...each }
      known.push(stored)
      onEvent(stored)
    }
  }

  return {
    id,
    events: () => known,
    record: async (...events) => {
      const turn = last.then(async () => await append(events))
      last = turn.catch(() => undefined)
      await turn
    },
  }
}
