import { randomUUID } from 'node:crypto'
import {
  type ConversationStore,
  describeConversation,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import {
  findConversation,
  type FoundConversation,
  LATEST,
} from '../../workspace/conversations/find-conversation.ts'

type Readable = Pick<ConversationStore, 'list' | 'read'>

/** Finds the conversation to resume: by its id, the beginning of its id, or the latest one of a person. Returns a new one if none is requested. */
export async function findResumed(
  store: Readable,
  resume: string | true | undefined,
): Promise<FoundConversation> {
  if (resume === undefined) return { ok: true, id: randomUUID() }
  if (resume === true || resume === LATEST) return await findLatest(store)
  const found = await findConversation(store, resume)
  if (!found.ok || (await readKind(store, found.id)) !== 'calls') return found
  const message = `the conversation "${found.id}" has only calls from "toolblocks call" or "toolblocks serve", without a model; only a conversation with a model can be resumed. "toolblocks conversations show ${found.id}" shows it`
  return { ok: false, message }
}

async function findLatest(store: Readable): Promise<FoundConversation> {
  const { conversations } = await store.list({ limit: Infinity })
  for (const { id } of conversations)
    if ((await readKind(store, id)) === 'of a person') return { ok: true, id }
  return {
    ok: false,
    message:
      'there is no conversation of "toolblocks chat" or "toolblocks run" to resume here; resume a conversation of another program by its id',
  }
}

/** The number of first events that show what kind a conversation is. */
const BEGINNING = 10

/**
 * Returns the kind of a conversation. A person resumes their own conversation, even if the one of an agent was written last because its host was
 * killed.
 */
async function readKind(
  store: Readable,
  id: string,
): Promise<'of a person' | 'of an agent' | 'imported' | 'calls'> {
  const { madeBy } = await describeConversation(store, id)
  switch (madeBy) {
    case 'chat':
    case 'run':
      return 'of a person'
    case 'call':
    case 'serve':
      return 'calls'
    case 'agent':
      return 'of an agent'
    case undefined:
      return await readOlderKind(store, id)
    default:
      return 'imported'
  }
}

/** Older versions did not record how a conversation began. */
async function readOlderKind(
  store: Readable,
  id: string,
): Promise<'of a person' | 'imported' | 'calls'> {
  const { events } = await store.read(id, { limit: BEGINNING })
  if (events.some(isImported)) return 'imported'
  if (events.some(({ event }) => event.type === 'user_message')) return 'of a person'
  return events.some(({ event }) => event.type === 'tool_call') ? 'calls' : 'of a person'
}

function isImported({ event, original }: StoredEvent): boolean {
  return original !== undefined || event.type === 'unknown' || Object.hasOwn(event, 'imported')
}
