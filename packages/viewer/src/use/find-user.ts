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
  /** The id that credentials prove. Absent: nothing proves who it is. */
  proved?: string
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
  const [command, identity, client, refused] = ['command', 'identity', 'client', 'refused'].map(
    (name) => getOwnField(values, name),
  )
  if (isJsonObject(identity)) {
    // The record of refused calls belongs to nobody, and has the id in a field of its own.
    const [proved = refused, name] = [getOwnField(identity, 'id'), getOwnField(identity, 'name')]
    if (isWords(proved)) return toProvedUser(isWords(name) ? name : proved, proved)
  }
  if (isJsonObject(client)) {
    const name = getOwnField(client, 'name')
    if (isWords(name)) return toUser('named', name)
  }
  if (isWords(command)) return toUser('command', command)
  return format === undefined ? toUser('command', 'unknown') : toUser('imported', format)
}

function toProvedUser(name: string, proved: string): ToolUser {
  return { key: JSON.stringify(['proved', proved]), kind: 'proved', name, proved }
}

function toUser(kind: Exclude<ToolUser['kind'], 'proved'>, name: string): ToolUser {
  return { key: JSON.stringify([kind, name]), kind, name }
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
