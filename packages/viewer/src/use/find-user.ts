import type { ConversationStore, StoredEvent } from '@toolblocks/conversation-store'
import { FORMAT_NAMES } from '@toolblocks/conversation-store/internal/format-names'
import { isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { findPersonConversation } from '../reading/find-person-conversation.ts'

/** Who has used tools in a conversation. All strings come from outside. */
export interface ToolUser {
  /** Identifies the user among others of the store. */
  key: string
  name: string
  /** How the name is known. `proved`: by credentials. `named`: a client names itself so. `command`: a command of this host. `imported`: the name of a format. */
  kind: 'proved' | 'named' | 'command' | 'imported'
}

/** Finds who has used the tools of a conversation, by its first event. The conversation of an agent is of whoever has the one that started it. */
export async function findToolUser(
  store: Pick<ConversationStore, 'read'>,
  conversation: string,
): Promise<ToolUser> {
  const id = await findPersonConversation(store, conversation)
  const [first] = (await store.read(id, { limit: 1 })).events
  return describeUser(first?.event, id)
}

function describeUser(first: StoredEvent['event'] | undefined, id: string): ToolUser {
  const values = first?.type === 'configuration' ? first.values : {}
  const format = FORMAT_NAMES.find((name) => id.startsWith(`${name}-`))
  const [command, identity, client] = ['command', 'identity', 'client'].map((name) =>
    getOwnField(values, name),
  )
  if (isJsonObject(identity)) {
    const [proved, name] = [getOwnField(identity, 'id'), getOwnField(identity, 'name')]
    if (isWords(proved)) return toUser('proved', isWords(name) ? name : proved, proved)
  }
  if (isJsonObject(client)) {
    const name = getOwnField(client, 'name')
    if (isWords(name)) return toUser('named', name)
  }
  if (isWords(command)) return toUser('command', command)
  return format === undefined ? toUser('command', 'unknown') : toUser('imported', format)
}

function toUser(kind: ToolUser['kind'], name: string, id = name): ToolUser {
  return { key: JSON.stringify([kind, id]), kind, name }
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
