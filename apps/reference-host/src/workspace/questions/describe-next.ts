import { type ConversationStore, readLeaseHolder } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { findPersonConversation } from '@toolblocks/viewer/questions'
import { createAgentHost, describeHost } from '../../process/agent-host.ts'
import { findParkedCall, type ParkedCall } from './parked-call.ts'
import { listOpenQuestions } from './unfinished-questions.ts'

/** Describes what happens after an answer: the asking host continues, more questions wait, or a person continues the conversation. */
export async function describeNext(
  store: ConversationStore,
  { conversation, call }: PendingQuestion,
): Promise<string> {
  const parked = await findParkedCall(store.documents, call.id)
  if (parked) return await describeParked(store, parked)
  const resume = await findPersonConversation(store, conversation)
  if (await isServed(store, resume))
    return 'The call does not continue with this answer: when its client made it again, it began anew.'
  const command = `toolblocks run --resume ${resume}`
  const holder = await readLeaseHolder(store.documents, resume)
  if (holder !== undefined && !createAgentHost().isGone?.(holder))
    return `${describeHost(holder)} continues. If it has ended: ${command}`
  const others = (await listOpenQuestions(store, resume)).length
  const waiting = others === 0 ? '' : ` (${others} more of its questions wait)`
  return `Continue with: ${command}${waiting}`
}

/** Whether a conversation is the record of a client of `serve`. */
async function isServed(
  store: Pick<ConversationStore, 'read'>,
  conversation: string,
): Promise<boolean> {
  const [first] = (await store.read(conversation, { limit: 1 })).events
  return first?.event.type === 'configuration' && first.event.values['command'] === 'serve'
}

/** A call of a client of `serve` belongs to the client, and no person continues it. */
async function describeParked(
  { documents }: ConversationStore,
  { conversations }: ParkedCall,
): Promise<string> {
  const holder = await readLeaseHolder(documents, conversations.at(-1) ?? '')
  return holder !== undefined && !createAgentHost().isGone?.(holder)
    ? `${describeHost(holder)} continues the call.`
    : 'The call continues when its client makes it again.'
}
