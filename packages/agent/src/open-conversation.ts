import { requireArguments, createQueue } from '@toolblocks/protocol/internal'
import {
  type ConversationEvent,
  type ConversationStore,
  type History,
  type StoredEvent,
  readHistory,
} from '@toolblocks/conversation-store'

/** An open conversation: all its events, and the only way to add events. */
export interface Conversation {
  readonly id: string
  /** The store of the conversation. */
  readonly store: ConversationStore
  /** Returns all events until now. */
  events(): readonly StoredEvent[]
  /** Returns the events until now in their effective order, as `readHistory` reads them. They are read once after each change. */
  history(): History
  /** Stores events, in the order of the calls. Rejects with a `ConversationConflict` if another program has written in the meantime. */
  record(...events: readonly ConversationEvent[]): Promise<void>
  /** Reads the events that other programs have added since. */
  refresh(): Promise<void>
}

/** Thrown if another program has written to the open conversation. */
export class ConversationConflict extends Error {
  override name = 'ConversationConflict'
  /** The id of the conversation. */
  readonly conversation: string

  constructor(conversation: string) {
    super(
      `Another program writes to the conversation "${conversation}". Its events are stored; open the conversation again to continue it.`,
    )
    this.conversation = conversation
  }
}

/**
 * Opens a conversation for turns: a new one, or one with events, which continues after its last event, also after a crash. `onEvent` is called with
 * each event after it is stored. Rejects like `store.read`.
 */
export async function openConversation(
  store: ConversationStore,
  id: string,
  { onEvent }: { onEvent?: (event: StoredEvent) => void } = {},
): Promise<Conversation> {
  requireArguments('openConversation(store, id, …)', [store, { read: 'function' }], [id, 'string'])
  const known: StoredEvent[] = []
  let end = 0
  let latest: { history: History; count: number } | undefined
  const inTurn = createQueue()

  async function refresh(): Promise<void> {
    const { events } = await store.read(id, { after: end, limit: Infinity })
    known.push(...events)
    end = known.at(-1)?.seq ?? 0
  }

  async function append(events: readonly ConversationEvent[]): Promise<void> {
    const now = new Date().toISOString()
    const dated = events.map((event) => ({ event, at: now }))
    const { ok } = await store.append(id, end, dated)
    if (!ok) throw new ConversationConflict(id)
    for (const each of dated) {
      end += 1
      const stored = { seq: end, ...each }
      known.push(stored)
      onEvent?.(stored)
    }
  }

  await refresh()
  return {
    id,
    store,
    events: () => known,
    history: () => {
      if (latest?.count !== known.length)
        latest = { history: readHistory(known), count: known.length }
      return latest.history
    },
    record: async (...events) => await inTurn(async () => await append(events)),
    refresh: async () => await inTurn(refresh),
  }
}
