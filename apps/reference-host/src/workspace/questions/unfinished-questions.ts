import {
  type ConversationStore,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { listPendingQuestions, type PendingQuestion } from '@toolblocks/inquiry/pending'
import { findPersonConversation } from '@toolblocks/viewer/questions'
import { getQuestionOptions } from './question-options.ts'

/** The part of a store that finds questions. */
type QuestionStore = Pick<ConversationStore, 'read' | 'documents'>

/** A conversation in memory. */
interface KnownConversation {
  id: string
  events: readonly StoredEvent[]
}

/**
 * Returns the questions whose calls wait in the last turn of a conversation, also those of its agents, the oldest first: open ones, and settled ones
 * that their calls have not used yet. Withdrawn ones are omitted.
 */
export async function findUnfinishedQuestions(
  store: QuestionStore,
  { id, events }: KnownConversation,
): Promise<readonly PendingQuestion[]> {
  if (findInterruptedCalls(events).size === 0) return []
  const { questions } = await listPendingQuestions({}, getQuestionOptions(store))
  const unfinished: PendingQuestion[] = []
  for (const question of questions) {
    if (question.state === 'withdrawn') continue
    const isOwn = question.conversation === id
    if (!isOwn && question.agents === undefined) continue
    if (!isOwn && (await findPersonConversation(store, question.conversation)) !== id) continue
    if (isUnused(question, isOwn ? events : await readEvents(store, question.conversation)))
      unfinished.push(question)
  }
  return unfinished
}

/** Returns the open questions of a conversation and of its agents, the oldest first. */
export async function listOpenQuestions(
  store: QuestionStore,
  conversation: string,
): Promise<readonly PendingQuestion[]> {
  const { questions } = await listPendingQuestions({ state: 'open' }, getQuestionOptions(store))
  const unfinished: PendingQuestion[] = []
  for (const question of questions)
    if ((await findPersonConversation(store, question.conversation)) === conversation)
      unfinished.push(question)
  return unfinished
}

/** Returns the ids of the conversations of people that have open questions, of their own or of their agents. */
export async function findWaitingConversations(store: QuestionStore): Promise<ReadonlySet<string>> {
  const { questions } = await listPendingQuestions({ state: 'open' }, getQuestionOptions(store))
  const waiting = new Set<string>()
  for (const { conversation } of questions)
    waiting.add(await findPersonConversation(store, conversation))
  return waiting
}

async function readEvents(
  store: Pick<ConversationStore, 'read'>,
  id: string,
): Promise<readonly StoredEvent[]> {
  return (await store.read(id, { limit: Infinity })).events
}

/** Returns the ids of the calls of the last turn that have no result. */
function findInterruptedCalls(events: readonly StoredEvent[]): ReadonlySet<string> {
  const { entries } = readHistory(events)
  const turn = entries.at(-1)?.turn
  return new Set(
    entries.flatMap(({ event, synthetic, turn: entryTurn }) =>
      entryTurn === turn && synthetic && event.type === 'tool_result'
        ? (event.result.id ?? [])
        : [],
    ),
  )
}

/** Whether a call still needs this question: it has no result, and the answer is not recorded. */
function isUnused({ kind, turn, call }: PendingQuestion, events: readonly StoredEvent[]): boolean {
  if (!findInterruptedCalls(events).has(call.id)) return false
  const { entries } = readHistory(events)
  if (entries.at(-1)?.turn !== turn) return false
  const recorded = entries.flatMap(({ turn: entryTurn, event }) =>
    entryTurn === turn && 'callId' in event && event.callId === call.id ? event.type : [],
  )
  return kind === 'approval'
    ? !recorded.includes('approval')
    : recorded.findLast((type) => type === 'question' || type === 'answer') === 'question'
}
