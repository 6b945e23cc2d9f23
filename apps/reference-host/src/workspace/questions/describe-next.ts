import { type ConversationStore, readLeaseHolder } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { findPersonConversation } from '@toolblocks/viewer/questions'
import { createAgentHost, describeHost } from '../../process/agent-host.ts'
import { listOpenQuestions } from './unfinished-questions.ts'

/** Describes what happens after an answer: the asking host continues, more questions wait, or a person continues the conversation. */
export async function describeNext(
  store: ConversationStore,
  { conversation }: PendingQuestion,
): Promise<string> {
  const resume = await findPersonConversation(store, conversation)
  const command = `toolblocks run --resume ${resume}`
  const holder = await readLeaseHolder(store.documents, resume)
  if (holder !== undefined && !createAgentHost().isGone?.(holder))
    return `${describeHost(holder)} continues. If it has ended: ${command}`
  const others = (await listOpenQuestions(store, resume)).length
  const waiting = others === 0 ? '' : ` (${others} more of its questions wait)`
  return `Continue with: ${command}${waiting}`
}
