import {
  type ConversationStore,
  type ConversationSummary,
  StoreError,
} from '@toolblocks/conversation-store'
import { isJsonObject } from '@toolblocks/protocol'
import { createQueue, getOwnField } from '@toolblocks/protocol/internal'

/** Whose conversations are in a store, by the identity that the first event of a record names. */
export interface ConversationOwners {
  /** Returns the id of the identity to whom a conversation belongs. `undefined`: it belongs to nobody who signs in, or does not exist. */
  find(conversation: string): Promise<string | undefined>
  /** Lists the conversations of an identity, the most recently written first. */
  list(owner: string): Promise<readonly ConversationSummary[]>
}

/** The number of conversations that are listed at once. */
const LISTED = 500
/** The number of first events that are read at the same time. */
const AT_ONCE = 8
/** Maximum number of conversations whose owners are kept. */
const MAX_KNOWN = 200_000
/** Maximum number of conversations that have started each other. */
const MAX_DEPTH = 50

/** Reads whose conversations are in a store. The owners are kept for lists: a record does not change to whom it belongs. */
export function readOwners(store: Pick<ConversationStore, 'read' | 'list'>): ConversationOwners {
  /** By the id of the conversation and its first time: another conversation may have the id later. */
  const known = new Map<string, Owner>()
  const places = createQueue(AT_ONCE)

  async function find(conversation: string): Promise<Owner> {
    let id = conversation
    for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
      const values = await readFirstValues(store, id)
      if (!values) return 'unwritten'
      // The conversation of an agent belongs to whoever has the one that has started it.
      const parent = readText(getOwnField(values, 'parent'), 'conversationId')
      if (parent === undefined)
        return getOwnField(values, 'command') === 'serve'
          ? { id: readText(getOwnField(values, 'identity'), 'id') }
          : NOBODY
      id = parent
    }
    return NOBODY
  }

  async function findKept({ id, createdAt }: ConversationSummary): Promise<Owner> {
    const key = JSON.stringify([id, createdAt])
    const kept = known.get(key)
    if (kept) return kept
    const owner = await places(async () => await find(id))
    // The conversation that has started it may be written a moment later.
    if (owner === 'unwritten') return owner
    const [oldest] = known.keys()
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(key, owner)
    return owner
  }

  return {
    find: async (conversation) => getId(await find(conversation)),
    list: async (owner) => {
      const own: ConversationSummary[] = []
      let cursor: string | undefined
      do {
        const page = await store.list({ limit: LISTED, ...(cursor !== undefined && { cursor }) })
        const owners = await Promise.all(page.conversations.map(findKept))
        own.push(...page.conversations.filter((_, index) => getId(owners[index]) === owner))
        cursor = page.next
      } while (cursor !== undefined)
      return own
    },
  }
}

/** Whose a conversation is. `unwritten`: it, or the one that has started it, does not exist. */
type Owner = { id: string | undefined } | 'unwritten'

const NOBODY: Owner = { id: undefined }

function getId(owner: Owner = NOBODY): string | undefined {
  return owner === 'unwritten' ? undefined : owner.id
}

/** Reads the values of the first event; none if it is no configuration or is damaged. `undefined`: it does not exist. */
async function readFirstValues(
  store: Pick<ConversationStore, 'read'>,
  id: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const { events, damaged } = await store.read(id, { limit: 1 })
    const [first] = events
    if (!first && damaged.length === 0) return undefined
    return first?.seq === 1 && first.event.type === 'configuration' ? first.event.values : {}
  } catch (error) {
    if (error instanceof StoreError && (error.code === 'damaged' || error.code === 'invalid-id'))
      return {}
    throw error
  }
}

function readText(value: unknown, field: string): string | undefined {
  const text = isJsonObject(value) ? getOwnField(value, field) : undefined
  return typeof text === 'string' ? text : undefined
}
