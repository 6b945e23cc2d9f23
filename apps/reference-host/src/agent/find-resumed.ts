import { randomUUID } from 'node:crypto'
import type { ConversationStore } from '@toolblocks/conversation-store'
import {
  findConversation,
  type FoundConversation,
  LATEST,
} from '../conversations/open/find-conversation.ts'

/** Finds the conversation to go on with, by its id or the beginning of it, or the latest; a new one where none is wanted. */
export async function findResumed(
  store: Pick<ConversationStore, 'list' | 'read'>,
  resume: string | true | undefined,
): Promise<FoundConversation> {
  if (resume === undefined) return { ok: true, id: randomUUID() }
  return await findConversation(store, resume === true ? LATEST : resume)
}
