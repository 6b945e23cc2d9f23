import type { ConversationEvent, HistoryEntry } from '@toolblocks/conversation-store'
import { type PendingQuestion, toAnswer } from '@toolblocks/inquiry/pending'
import type { Answer, AnsweredQuestion, InquiryEvent, ToolCall } from '@toolblocks/protocol'

/** How a call without a result continues. */
export type CallPlan =
  /** It still waits for a person, and was not made again. */
  | {
      kind: 'waits'
      call: ToolCall
      question: PendingQuestion
      answered: readonly AnsweredQuestion[]
    }
  /** It did not run when its host ended, so it can be made again. `events`: the answers to record first. */
  | {
      kind: 'again'
      call: ToolCall
      answered: readonly AnsweredQuestion[]
      events: readonly ConversationEvent[]
    }
  /** It may have been executed. */
  | { kind: 'interrupted'; call: ToolCall }

/** What is known of the interrupted calls of a turn. */
export interface InterruptedTurn {
  /** The entries of the turn, as `readHistory` returns them. */
  entries: readonly HistoryEntry[]
  /** The pending questions of the turn, the oldest first. */
  pending: readonly PendingQuestion[]
  /** Identifies the present definition of a tool. `undefined`: there is no such tool. */
  getDefinition: (tool: string) => string | undefined
  /** Whether a call continues in a conversation of its own. */
  hasOwnConversation: (call: ToolCall) => boolean
}

/** Returns the calls of a turn without a result, in their order, and how each continues. */
export function planCalls(turn: InterruptedTurn): readonly CallPlan[] {
  const interrupted = new Set(
    turn.entries.flatMap(({ callSeq, synthetic }) => (synthetic ? (callSeq ?? []) : [])),
  )
  return turn.entries.flatMap(({ event, seq }) =>
    event.type === 'tool_call' && interrupted.has(seq) ? planCall(event.call, turn) : [],
  )
}

function planCall(call: ToolCall, turn: InterruptedTurn): CallPlan {
  if (turn.hasOwnConversation(call)) return { kind: 'again', call, answered: [], events: [] }
  const asked = pairQuestions(call, turn.entries)
  const last = asked.at(-1)
  return last ? planAfterQuestion(call, { asked, last, turn }) : planAfterApproval(call, turn)
}

type QuestionEvent = Extract<InquiryEvent, { type: 'question' }>
type AnswerEvent = Extract<InquiryEvent, { type: 'answer' }>

interface AskedQuestion {
  question: QuestionEvent
  answer?: AnswerEvent
}

/** Returns the questions of a call with their answers, in their order. */
function pairQuestions(call: ToolCall, entries: readonly HistoryEntry[]): readonly AskedQuestion[] {
  const asked: AskedQuestion[] = []
  for (const { event } of entries) {
    if (event.type === 'question' && event.callId === call.id) asked.push({ question: event })
    if (event.type !== 'answer' || event.callId !== call.id) continue
    const open = asked.findLast(({ question, answer }) => question.id === event.id && !answer)
    if (open) open.answer = event
  }
  return asked
}

/** A call that has asked nothing waits for its approval, or it was running. */
function planAfterApproval(
  call: ToolCall,
  { entries, pending, getDefinition }: InterruptedTurn,
): CallPlan {
  const decided = entries.findLast(
    ({ event }) => event.type === 'approval' && event.callId === call.id,
  )
  const again = { kind: 'again', call, answered: [], events: [] } as const
  if (decided?.event.type === 'approval')
    return decided.event.decision === 'allowed' ? { kind: 'interrupted', call } : again
  const question = findPending(call, pending, ({ kind }) => kind === 'approval')
  if (!question) return { kind: 'interrupted', call }
  const isCurrent = question.definition === getDefinition(call.name)
  return isCurrent && question.state === 'open'
    ? { kind: 'waits', call, question, answered: [] }
    : again
}

function planAfterQuestion(
  call: ToolCall,
  {
    asked,
    last: { question, answer },
    turn: { pending, getDefinition },
  }: { asked: readonly AskedQuestion[]; last: AskedQuestion; turn: InterruptedTurn },
): CallPlan {
  const answered = getAccepted(asked)
  if (answer) {
    // After its last answer the tool ran again.
    const mayRun = answer.action === 'accept' && (question.more ?? 0) === 0
    if (mayRun || question.isRepeatable !== true) return { kind: 'interrupted', call }
    const ended = toFinalAnswer(answer)
    const final = ended ? [{ request: question.question, answer: ended }] : []
    return { kind: 'again', call, answered: [...answered, ...final], events: [] }
  }
  if (question.isRepeatable !== true) return { kind: 'interrupted', call }
  const waiting = findPending(
    call,
    pending,
    ({ kind, request }) => kind === 'question' && request.id === question.question.id,
  )
  if (!waiting) return { kind: 'again', call, answered, events: [] }
  if (waiting.definition !== getDefinition(call.name)) {
    const withdrawn = createAnswerEvent(question, { action: 'cancel', reason: 'withdrawn' })
    return { kind: 'again', call, answered: [], events: [withdrawn] }
  }
  if (waiting.state === 'open') return { kind: 'waits', call, question: waiting, answered }
  const settledAnswer = toAnswer(waiting)
  if (!settledAnswer) return { kind: 'again', call, answered, events: [] }
  const { request, blocks } = waiting
  return {
    kind: 'again',
    call,
    answered: [...answered, { request, answer: settledAnswer, blocks }],
    events: [createAnswerEvent(question, settledAnswer)],
  }
}

function findPending(
  call: ToolCall,
  pending: readonly PendingQuestion[],
  matches: (question: PendingQuestion) => boolean,
): PendingQuestion | undefined {
  return pending.findLast((question) => question.call.id === call.id && matches(question))
}

/** The accepted answers whose values are recorded. A secret is asked for again. */
function getAccepted(asked: readonly AskedQuestion[]): readonly AnsweredQuestion[] {
  return asked.flatMap(({ question, answer }) =>
    answer?.action === 'accept' && 'value' in answer
      ? [{ request: question.question, answer: { action: 'accept', value: answer.value } }]
      : [],
  )
}

/** An answer that ends its call. After an invalid one, the question is asked again. */
function toFinalAnswer(answer: AnswerEvent): Exclude<Answer, { action: 'accept' }> | undefined {
  switch (answer.action) {
    case 'accept':
      return undefined
    case 'decline':
      return { action: 'decline' }
    case 'cancel':
      return answer.reason === 'wrong-answer'
        ? undefined
        : { action: 'cancel', reason: answer.reason }
  }
}

function createAnswerEvent({ id, callId }: QuestionEvent, answer: Answer): InquiryEvent {
  const event = { type: 'answer', id, callId } as const
  return answer.action === 'cancel'
    ? { ...event, action: 'cancel', reason: answer.reason }
    : { ...event, ...answer }
}
