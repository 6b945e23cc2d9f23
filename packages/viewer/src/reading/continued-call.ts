import type { ConversationStore } from '@toolblocks/conversation-store'
import type { PendingQuestion } from '@toolblocks/inquiry/pending'
import { isWaiting, readCards } from './read-cards.ts'

/** Events before the end of a conversation in which the call of a question is searched. */
const NEAR = 2000

/** Whether the call of a settled question has continued, as the last events of its conversation say. */
export async function hasContinued(
  store: Pick<ConversationStore, 'read'>,
  question: PendingQuestion,
): Promise<boolean> {
  const { events } = await store.read(question.conversation, { before: Infinity, limit: NEAR })
  return !readCards(events, [question]).some(
    (card) => card.kind === 'call' && card.pending.length > 0 && isWaiting(card),
  )
}

/** Describes, in one line, that a call has continued after the answer to a question. */
export function describeContinued(question: PendingQuestion): string {
  return isDenied(question)
    ? 'The call was not run. The conversation has continued.'
    : 'The call has continued.'
}

/** Whether a person did not permit the call. */
function isDenied({ kind, state, settled }: PendingQuestion): boolean {
  return kind === 'approval' && (state === 'declined' || settled?.value !== true)
}
