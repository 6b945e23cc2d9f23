import { randomUUID } from 'node:crypto'
import type { ConversationStore, StoredEvent } from '@toolblocks/conversation-store'
import { commandOf } from '../conversation-origin.ts'
import { isOfAgent } from './delegate/parent-of.ts'

/** The conversation that is meant, or why there is none. */
export type FoundConversation = { ok: true; id: string } | { ok: false; message: string }

type Readable = Pick<ConversationStore, 'list' | 'read'>

/** What `--resume` takes for the conversation that was written last, as if no id was given. */
const LATEST = 'latest'

/** Finds the conversation to go on with, by its id or the beginning of it; a new one where none is wanted. */
export async function findConversation(
  store: Readable,
  resume: string | true | undefined,
): Promise<FoundConversation> {
  if (resume === undefined) return { ok: true, id: randomUUID() }
  if (resume === true || resume === LATEST) return await findLatest(store)
  const { conversations } = await store.list({ limit: Infinity })
  const whole = conversations.filter(({ id }) => id === resume)
  const begun = conversations.filter(({ id }) => id.startsWith(resume))
  const [found, ...more] = whole.length > 0 ? whole : begun
  if (!found)
    return {
      ok: false,
      message: `there is no conversation "${resume}"; "toolblocks conversations list" shows them`,
    }
  if (more.length > 0)
    return {
      ok: false,
      message: `${more.length + 1} conversations begin with "${resume}"; give more of the id`,
    }
  return (await readKind(store, found.id)) === 'calls'
    ? {
        ok: false,
        message: `the conversation "${found.id}" is a record of calls without a model, as "toolblocks call" and "toolblocks serve" write it; only a conversation with a model can be gone on with, and "toolblocks conversations show ${found.id}" shows this one`,
      }
    : { ok: true, id: found.id }
}

async function findLatest(store: Readable): Promise<FoundConversation> {
  const { conversations } = await store.list({ limit: Infinity })
  for (const { id } of conversations)
    if ((await readKind(store, id)) === 'of a person') return { ok: true, id }
  return {
    ok: false,
    message:
      'there is no conversation of "toolblocks chat" or "toolblocks run" here to go on with; one of another program is gone on with by its id',
  }
}

/** Events that tell what a conversation is. */
const BEGINNING = 10

/** Whose conversation it is. One that an agent leads was written last where its host was killed: a person goes on with their own. */
async function readKind(
  store: Readable,
  id: string,
): Promise<'of a person' | 'of an agent' | 'imported' | 'calls'> {
  const { events } = await store.read(id, { limit: BEGINNING })
  const first = events[0]?.event
  const command = commandOf(first)
  if (command !== undefined)
    return command === 'chat' || command === 'run' ? 'of a person' : 'calls'
  if (isOfAgent(first)) return 'of an agent'
  if (events.some(isImported)) return 'imported'
  // Older versions did not write how a conversation began.
  if (events.some(({ event }) => event.type === 'user_message')) return 'of a person'
  return events.some(({ event }) => event.type === 'tool_call') ? 'calls' : 'of a person'
}

function isImported({ event, original }: StoredEvent): boolean {
  return original !== undefined || event.type === 'unknown' || Object.hasOwn(event, 'imported')
}
