import { isDeepStrictEqual } from 'node:util'
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
/** Milliseconds after which all conversations are listed again: some may have been deleted, or imported. */
const LISTED_MS = 30_000
/** Maximum number of conversations that have started each other. */
const MAX_DEPTH = 50

/** Reads whose conversations are in a store. Lists are kept, because a record does not change to whom it belongs: one that was deleted may be listed for half a minute. */
export function readOwners(store: Pick<ConversationStore, 'read' | 'list'>): ConversationOwners {
  const places = createQueue(AT_ONCE)
  const inTurn = createQueue()
  let listed: readonly OwnedConversation[] = []
  let listedAt = -Infinity

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

  /** Lists all conversations: those that were written since the last time are at the front, and only they are read. */
  async function listAll(): Promise<readonly OwnedConversation[]> {
    const isWhole = performance.now() - listedAt >= LISTED_MS
    const known = new Map(listed.map((one) => [one.summary.id, one]))
    const front: OwnedConversation[] = []
    let isReached = false
    let cursor: string | undefined
    do {
      const page = await store.list({ limit: LISTED, ...(cursor !== undefined && { cursor }) })
      for (const summary of page.conversations) {
        const before = known.get(summary.id)
        const isSame = before !== undefined && isDeepStrictEqual(before.summary, summary)
        isReached ||= isSame && !isWhole
        if (isReached) break
        // Another conversation may have the id now.
        const isBegun = before?.summary.createdAt === summary.createdAt
        front.push({ summary, owner: isBegun ? before.owner : 'unwritten' })
      }
      cursor = isReached ? undefined : page.next
    } while (cursor !== undefined)
    const written = new Set(front.map(({ summary }) => summary.id))
    const all = isReached
      ? [...front, ...listed.filter(({ summary }) => !written.has(summary.id))]
      : front
    if (isWhole) listedAt = performance.now()
    listed = await Promise.all(
      all.map(async (one) =>
        one.owner === 'unwritten'
          ? { ...one, owner: await places(async () => await find(one.summary.id)) }
          : one,
      ),
    )
    return listed
  }

  return {
    find: async (conversation) => getId(await find(conversation)),
    list: async (owner) =>
      (await inTurn(listAll))
        .filter((one) => getId(one.owner) === owner)
        .map(({ summary }) => summary),
  }
}

/** A conversation of a list, with whose it is. */
interface OwnedConversation {
  summary: ConversationSummary
  owner: Owner
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
