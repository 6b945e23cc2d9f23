import { randomUUID } from 'node:crypto'
import type { ConversationStore } from '@toolblocks/conversation-store'
import { isOfAgent } from './delegate/parent-of.ts'

/** The conversation that is meant, or why there is none. */
export type FoundConversation = { ok: true; id: string } | { ok: false; message: string }

/** Finds the conversation to go on with, by its id or the beginning of it; a new one where none is wanted. */
export async function findConversation(
  store: Pick<ConversationStore, 'list' | 'read'>,
  resume: string | true | undefined,
): Promise<FoundConversation> {
  if (resume === undefined) return { ok: true, id: randomUUID() }
  const { conversations } = await store.list({ limit: Infinity })
  if (resume === true) {
    for (const { id } of conversations) {
      // One that an agent leads was written last where its host was killed: a person goes on with their own.
      const { events } = await store.read(id, { limit: 1 })
      if (!isOfAgent(events[0]?.event)) return { ok: true, id }
    }
    return { ok: false, message: 'there is no conversation to go on with' }
  }
  const whole = conversations.find(({ id }) => id === resume)
  if (whole) return { ok: true, id: whole.id }
  const [found, ...more] = conversations.filter(({ id }) => id.startsWith(resume))
  if (!found)
    return {
      ok: false,
      message: `there is no conversation "${resume}"; "toolblocks conversations list" shows them`,
    }
  return more.length === 0
    ? { ok: true, id: found.id }
    : {
        ok: false,
        message: `${more.length + 1} conversations begin with "${resume}"; give more of the id`,
      }
}
