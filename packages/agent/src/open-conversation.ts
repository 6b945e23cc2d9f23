import { createQueue } from '@toolblocks/protocol'
import type {
  ConversationEvent,
  ConversationStore,
  StoredEvent,
} from '@toolblocks/conversation-store'

/** A conversation in use: all of its events, and the one way to add some. */
export interface Conversation {
  readonly id: string
  /** Where it is kept. */
  readonly store: ConversationStore
  /** All events until now. */
  events(): readonly StoredEvent[]
  /** Keeps events, in the order of the calls. Rejects with a `ConversationConflict` where another program wrote meanwhile. */
  record(...events: readonly ConversationEvent[]): Promise<void>
}

/** Another program has written to the conversation that this one was about to go on with. */
export class ConversationConflict extends Error {
  override name = 'ConversationConflict'
  /** The id of the conversation. */
  readonly conversation: string

  constructor(conversation: string) {
    super(
      `Another program writes to the conversation "${conversation}". What it wrote is kept; open the conversation again to go on with it.`,
    )
    this.conversation = conversation
  }
}

/**
 * Opens a conversation to play turns in: a new one, or one that has events already, which is gone on with where they end, also after a
 * program was killed. `onEvent` is told of each event once it is kept. Rejects as `store.read` does.
 */
export async function openConversation(
  store: ConversationStore,
  id: string,
  { onEvent }: { onEvent?: (event: StoredEvent) => void } = {},
): Promise<Conversation> {
  const { events: before } = await store.read(id, { limit: Infinity })
  const known = [...before]
  let end = known.at(-1)?.seq ?? 0
  const inTurn = createQueue()

  async function append(events: readonly ConversationEvent[]): Promise<void> {
    const at = new Date().toISOString()
    const dated = events.map((event) => ({ event, at }))
    const { ok } = await store.append(id, end, dated)
    if (!ok) throw new ConversationConflict(id)
    for (const each of dated) {
      end += 1
      const stored = { seq: end, ...each }
      known.push(stored)
      onEvent?.(stored)
    }
  }

  return {
    id,
    store,
    events: () => known,
    record: async (...events) => await inTurn(async () => await append(events)),
  }
}
