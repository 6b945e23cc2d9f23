import { randomUUID } from 'node:crypto'
import {
  type ConversationStore,
  describeConversation,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { hasOpenTurn } from '@toolblocks/agent'
import { findWaitingConversations } from '../../workspace/questions/unfinished-questions.ts'
import {
  findConversation,
  type FoundConversation,
  LATEST,
} from '../../workspace/conversations/find-conversation.ts'

type Readable = Pick<ConversationStore, 'list' | 'read'>

/** The conversation to continue, and the ids of others whose last turn has not ended, the newest first. */
export type ContinuedConversation = FoundConversation & { others?: readonly string[] }

/** Finds the conversation to resume: by its id, the beginning of its id, or the latest one of a person. Returns a new one if none is requested. */
export async function findResumed(
  store: Readable,
  resume: string | true | undefined,
): Promise<FoundConversation> {
  if (resume === undefined) return { ok: true, id: randomUUID() }
  if (resume === true || resume === LATEST) return await findLatest(store)
  const match = await findConversation(store, resume)
  if (!match.ok || (await readKind(store, match.id)) !== 'calls') return match
  const message = `the conversation "${match.id}" has only calls from "toolblocks call" or "toolblocks serve", without a model; only a conversation with a model can be resumed. "toolblocks conversations show ${match.id}" shows it`
  return { ok: false, message }
}

/**
 * Finds the conversation whose last turn is to be continued: by its id, or the latest one of a person whose last turn has not ended. One whose
 * questions are answered comes before one that still waits.
 */
export async function findContinued(
  store: Readable & Pick<ConversationStore, 'documents'>,
  resume: string | true | undefined,
): Promise<ContinuedConversation> {
  if (resume !== true && resume !== LATEST) return await findResumed(store, resume)
  const unfinished: string[] = []
  const { conversations } = await store.list({ limit: MAX_SEARCHED })
  for (const { id } of conversations)
    if ((await readKind(store, id)) === 'of a person' && (await isUnfinished(store, id)))
      unfinished.push(id)
  const waiting = await findWaitingConversations(store)
  const [id, ...others] = [
    ...unfinished.filter((each) => !waiting.has(each)),
    ...unfinished.filter((each) => waiting.has(each)),
  ]
  return id === undefined ? await findLatest(store) : { ok: true, id, others }
}

/** The number of conversations, the newest first, that are searched for a turn that has not ended. */
const MAX_SEARCHED = 200
/** The number of last events that usually contain the last turn. */
const END = 50

async function isUnfinished(store: Readable, id: string): Promise<boolean> {
  const { events, more } = await store.read(id, { before: Infinity, limit: END })
  const hasTurn = !more || events.some(({ event }) => event.type === 'turn_start')
  return hasOpenTurn(hasTurn ? events : (await store.read(id, { limit: Infinity })).events)
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
