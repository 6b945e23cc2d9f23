import type { ConversationStore } from '@toolblocks/conversation-store'
import { listPendingQuestions, type PendingQuestion } from '@toolblocks/inquiry/pending'
import { hasContinued } from '@toolblocks/viewer/questions'
import { findParkedCall, type ParkedCall } from './parked-call.ts'
import { getQuestionOptions } from './question-options.ts'

/** The part of a store that has calls and their questions. */
type CallStore = Pick<ConversationStore, 'read' | 'documents'>

/** Whether a person has answered or declined a question, so that its call can continue. */
export function isAnswered({ state }: PendingQuestion): boolean {
  return state === 'answered' || state === 'declined'
}

/** Whether the call of a settled question has continued with what was settled. */
export async function hasCallContinued(
  store: CallStore,
  question: PendingQuestion,
): Promise<boolean> {
  const parked = await findParkedCall(store.documents, question.call.id)
  return parked
    ? await hasParkedContinued(store, question, parked)
    : await hasContinued(store, question)
}

/**
 * Whether a call of a client of `serve` has continued. When the client makes it again before the answer, it waits in a further conversation, and the one of
 * its question says only that.
 */
async function hasParkedContinued(
  store: CallStore,
  { id, call, settled }: PendingQuestion,
  { state, conversations }: ParkedCall,
): Promise<boolean> {
  if (state === 'running') return true
  const present = conversations.at(-1) ?? ''
  const { events } = await store.read(present, { before: Infinity, limit: NEAR })
  if (events.some(({ event }) => event.type === 'tool_result' && event.result.id === call.id))
    return true
  // It waits for the answer to another question, for which it needed this one.
  const lists = await Promise.all(
    conversations.map(
      async (conversation) =>
        await listPendingQuestions({ conversation }, getQuestionOptions(store)),
    ),
  )
  const others = lists.flatMap(({ questions }) => questions.filter((other) => other.id !== id))
  return others.some(
    (other) => other.call.id === call.id && settled !== undefined && other.askedAt >= settled.at,
  )
}

/** Events before the end of a conversation in which the result of a call is searched. */
const NEAR = 2000
