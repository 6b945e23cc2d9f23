import { requireArguments, describeUnanswered } from '@toolblocks/protocol/internal'
import { createHash } from 'node:crypto'
import {
  type ConversationEvent,
  type History,
  type HistoryEntry,
  readHistory,
  type StoredEvent,
} from '@toolblocks/conversation-store'
import { pairDeliveries } from '@toolblocks/conversation-store/internal'
import {
  listPendingQuestions,
  type PendingOptions,
  type PendingQuestion,
  settlePendingQuestion,
} from '@toolblocks/inquiry/pending'
import type { ToolCall, ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { Conversation } from './open-conversation.ts'
import { type CallPlan, planCalls } from './plan-resume.ts'
import type { ResumedCall } from './run-turn.ts'

/** The entries of the last turn of a conversation, and its number. */
interface WaitingTurn {
  turn: number
  entries: readonly HistoryEntry[]
}

/** Returns the last turn if it has not ended with a message of the model. */
export function findOpenTurn({ entries }: Pick<History, 'entries'>): WaitingTurn | undefined {
  const turn = entries.at(-1)?.turn ?? 0
  const last = entries.filter((entry) => entry.turn === turn)
  const lastStep = last.findLast(({ event: { type } }) => STEPS.has(type))
  const isOpen = turn > 0 && lastStep !== undefined && lastStep.event.type !== 'assistant_message'
  return isOpen ? { turn, entries: last } : undefined
}

/** Whether the last turn of these events has not ended with a message of the model, so that `resumeTurn` of an agent continues it. */
export function hasOpenTurn(events: readonly StoredEvent[]): boolean {
  requireArguments('hasOpenTurn(events)', [events, 'iterable'])
  return findOpenTurn(readHistory(events)) !== undefined
}

/** Events after which a turn continues, and the one with which it ends. */
const STEPS: ReadonlySet<string> = new Set([
  'user_message',
  'assistant_message',
  'tool_call',
  'tool_result',
])

/** The questions of the calls of a turn, and the functions to decide how the calls continue. */
export interface WaitingCallsOptions {
  storage: PendingOptions
  conversation: Conversation
  /** The name of this host. */
  host: string
  getDefinition: (tool: string) => string | undefined
  hasOwnConversation: (call: ToolCall) => boolean
}

/** The calls of a turn to make again, and the questions that are still open. */
export interface ResumedTurn {
  calls: readonly ResumedCall[]
  open: readonly PendingQuestion[]
}

/** Prepares the calls of an open turn for another run, and withdraws the questions that nobody asks any more. `canAsk`: whether open questions are asked now. */
export async function resumeCalls(
  { turn, entries }: WaitingTurn,
  { canAsk, ...options }: WaitingCallsOptions & { canAsk: boolean },
): Promise<ResumedTurn> {
  const { conversation } = options
  const pending = await listOfTurn(turn, options)
  const plans = planCalls({ ...options, entries, pending })
  const waiting = new Set(plans.flatMap((plan) => (plan.kind === 'waits' ? plan.question.id : [])))
  await withdraw(
    pending.filter(({ id }) => !waiting.has(id)),
    'its host ended, or the definition of its tool has changed',
    options,
  )
  const answers = plans.flatMap((plan) => (plan.kind === 'again' ? plan.events : []))
  if (answers.length > 0) await conversation.record(...answers)
  const resumed = plans.map((plan) => toResumedCall(plan, { entries, canAsk }))
  return {
    calls: sortByCall([...resumed, ...findUndelivered(entries)], entries),
    open: pending.filter(({ state, id }) => state !== 'open' || waiting.has(id)),
  }
}

/** The calls whose result was stored, and whose host ended before it decided what the model receives of it. */
function findUndelivered(entries: readonly HistoryEntry[]): readonly ResumedCall[] {
  const delivered = pairDeliveries(entries)
  const results = new Map(
    entries.flatMap((entry) =>
      entry.callSeq === undefined || entry.synthetic || delivered.has(entry)
        ? []
        : [[entry.callSeq, entry.event] as const],
    ),
  )
  return entries.flatMap(({ event, seq }) => {
    const stored = results.get(seq)
    return event.type === 'tool_call' && stored?.type === 'tool_result'
      ? { call: event.call, result: stored.result, isStored: true }
      : []
  })
}

/** Results are delivered in the order of the model's calls. */
function sortByCall(
  calls: readonly ResumedCall[],
  entries: readonly HistoryEntry[],
): readonly ResumedCall[] {
  const order = entries.flatMap(({ event }) => (event.type === 'tool_call' ? event.call : []))
  return calls.toSorted((a, b) => order.indexOf(a.call) - order.indexOf(b.call))
}

function toResumedCall(
  plan: CallPlan,
  { entries, canAsk }: { entries: readonly HistoryEntry[]; canAsk: boolean },
): ResumedCall {
  const { call } = plan
  switch (plan.kind) {
    case 'waits':
      return canAsk ? { call, answered: plan.answered } : { call, isWaiting: true }
    case 'again':
      return { call, answered: plan.answered }
    case 'interrupted': {
      const result = findInterruptedResult(call, entries)
      return { call, ...(result && { result }) }
    }
  }
}

/** The result that the history has for a call without one. */
function findInterruptedResult(
  call: ToolCall,
  entries: readonly HistoryEntry[],
): ToolResult | undefined {
  for (const { event, synthetic } of entries)
    if (synthetic && event.type === 'tool_result' && event.result.id === call.id)
      return event.result
  return undefined
}

/** Ends the calls of an open turn that wait for people, because the conversation continues without them. Each gets a result that says so. */
export async function endWaitingCalls(
  { turn, entries }: WaitingTurn,
  options: WaitingCallsOptions,
): Promise<void> {
  const pending = await listOfTurn(turn, options)
  if (pending.length === 0) return
  const reason = 'the conversation continued without an answer'
  await withdraw(pending, reason, options)
  const plans = planCalls({ ...options, entries, pending })
  const results = plans.flatMap((plan): ConversationEvent[] => {
    const question = pending.findLast(({ call }) => call.id === plan.call.id)
    if (!question || plan.kind === 'interrupted') return []
    const answer = { action: 'cancel', reason: 'withdrawn', message: reason } as const
    const result = describeUnanswered(question.request, answer, question.blocks)
    return [{ type: 'tool_result', result: { ...result, id: plan.call.id } }]
  })
  if (results.length > 0) await options.conversation.record(...results)
}

async function listOfTurn(
  turn: number,
  { storage, conversation }: WaitingCallsOptions,
): Promise<readonly PendingQuestion[]> {
  const { questions } = await listPendingQuestions({ conversation: conversation.id }, storage)
  return questions.filter((question) => question.turn === turn)
}

async function withdraw(
  questions: readonly PendingQuestion[],
  reason: string,
  { storage, host }: WaitingCallsOptions,
): Promise<void> {
  for (const { id, state } of questions)
    if (state === 'open')
      await settlePendingQuestion(id, { state: 'withdrawn', by: host, reason }, storage)
}

/** Identifies the definition of a tool, and the program behind it if the host describes it. */
export function hashDefinition(
  entry: ToolEntry,
  describeTool: (entry: ToolEntry) => string = () => '',
): string {
  const text = JSON.stringify([entry.tool, describeTool(entry)])
  return createHash('sha256').update(text).digest('hex')
}
