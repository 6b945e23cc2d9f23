import type { ConversationStore } from '@toolblocks/conversation-store'
import { getOwnField } from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'

/** Returns the id of the conversation that a person resumes: for the conversation of an agent the one that started it, at any depth. */
export async function findPersonConversation(
  store: Pick<ConversationStore, 'read'>,
  conversation: string,
): Promise<string> {
  const seen = new Set<string>()
  let id = conversation
  while (!seen.has(id)) {
    seen.add(id)
    const parent = await readParent(store, id)
    if (parent === undefined) return id
    id = parent
  }
  return conversation
}

async function readParent(
  store: Pick<ConversationStore, 'read'>,
  id: string,
): Promise<string | undefined> {
  const [first] = (await store.read(id, { limit: 1 })).events
  const values = first?.event.type === 'configuration' ? first.event.values : {}
  const parent = getOwnField(values, 'parent')
  const conversationId = isJsonObject(parent) ? getOwnField(parent, 'conversationId') : undefined
  return typeof conversationId === 'string' ? conversationId : undefined
}
