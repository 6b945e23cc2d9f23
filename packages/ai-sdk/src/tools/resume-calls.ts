import {
  listPendingQuestions,
  type PendingQuestion,
  type QuestionStorage,
  toAnswer,
} from '@toolblocks/inquiry/pending'
import {
  type AnsweredQuestion,
  createErrorResult,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  type DynamicToolUIPart,
  getToolName,
  isToolUIPart,
  type ToolUIPart,
  type UIMessage,
  type UIMessageStreamWriter,
} from 'ai'
import type { Approvals } from './approvals.ts'
import { type QuestionData, toQuestionData } from './questions.ts'

/** Messages after calls were made again. */
export interface ResumedMessages<Message> {
  /** The same messages; calls with answered questions, and calls of earlier messages, have results. */
  messages: Message[]
  /** The questions that are still open. Their calls have no result, so no model can be asked yet. */
  waiting: readonly QuestionData[]
}

/** What is needed to make calls again. */
interface Resuming {
  conversation: string
  toName: (key: string) => string
  storage: QuestionStorage | undefined
  /** Whether a question stays open when its request ends. */
  staysOpen: boolean
  approvals: Approvals | undefined
  getDefinition: (tool: string) => string | undefined
  run: (call: ToolCall, answered: readonly AnsweredQuestion[]) => Promise<ToolResult>
  writer?: Pick<UIMessageStreamWriter, 'write'>
}

/**
 * Makes the calls of the last message again whose stored questions were answered, and ends the calls without a result in the messages before it, for
 * which a model could not be asked.
 */
export async function resumeCalls<Message extends UIMessage>(
  messages: readonly Message[],
  resuming: Resuming,
): Promise<ResumedMessages<Message>> {
  const ids = messages.flatMap(({ parts }) =>
    parts.filter(isToolUIPart).map(({ toolCallId }) => toolCallId),
  )
  const earlier = await Promise.all(
    messages.slice(0, -1).map(async (message) => ({
      ...message,
      parts: await Promise.all(
        message.parts.map(async (part) => await endCall(part, ids, resuming)),
      ),
    })),
  )
  const { last, waiting } = await resumeLast(messages.at(-1), resuming)
  return { messages: [...earlier, ...(last ? [last] : [])], waiting }
}

/**
 * Gives a call without a result an error that says why. An approval or an answer that it waits for, or that came after a newer message, does not count. The writer is not
 * told: a page takes results only for the message that it receives.
 */
async function endCall<Part extends UIMessage['parts'][number]>(
  part: Part,
  ids: readonly string[],
  resuming: Resuming,
): Promise<Part> {
  if (!isToolUIPart(part) || part.providerExecuted === true || !lacksResult(part)) return part
  const id = part.toolCallId
  // A newer call with the same id has the approval.
  const isOnly = ids.indexOf(id) === ids.lastIndexOf(id)
  const isWithdrawn = part.approval && isOnly && (await resuming.approvals?.withdraw(id))
  if (isOnly) await useUpAnswers(id, resuming)
  const errorText = isWithdrawn === true ? NOT_EXECUTED : INTERRUPTED
  return { ...part, state: 'output-error', errorText }
}

/** Uses the answers to the questions of a call, also later ones: the model is told that the call is not made again. */
async function useUpAnswers(
  callId: string,
  { storage, approvals, conversation }: Resuming,
): Promise<void> {
  if (!storage || !approvals) return
  const { questions } = await listPendingQuestions({ conversation }, { storage })
  for (const { id, call } of questions) if (call.id === callId) await approvals.useAnswer(id)
}

/** Whether the messages of a request have no result for a call. A denied call has one: the denial. */
function lacksResult({ state, approval }: ToolUIPart | DynamicToolUIPart): boolean {
  return state === 'approval-requested' || (UNFINISHED.has(state) && approval?.approved !== false)
}

/**
 * Makes the calls of the last message again whose stored questions were answered. The arguments are those that the server stored, not those of the
 * message. A call whose answer was used before is not made again; its result says so.
 */
async function resumeLast<Message extends UIMessage>(
  last: Message | undefined,
  resuming: Resuming,
): Promise<{ last: Message | undefined; waiting: readonly QuestionData[] }> {
  const { storage, approvals, conversation, writer } = resuming
  if (last?.role !== 'assistant' || !storage || !approvals) return { last, waiting: [] }
  const { questions } = await listPendingQuestions({ conversation }, { storage })
  const waiting: QuestionData[] = []
  const parts = await Promise.all(
    last.parts.map(async (part): Promise<Message['parts'][number]> => {
      if (!isToolUIPart(part) || !UNFINISHED.has(part.state)) return part
      const asked = questions.filter(
        ({ call, kind }) =>
          kind === 'question' &&
          call.id === part.toolCallId &&
          call.name === resuming.toName(getToolName(part)),
      )
      const latest = asked.at(-1)
      if (!latest) return part
      if (latest.state === 'open') {
        waiting.push(toQuestionData(latest))
        return part
      }
      const { call, isRepeatable } = latest
      const isRunAgain = isRepeatable && (await approvals.useAnswer(latest.id))
      const output = isRunAgain
        ? await runAgain(call, asked, resuming)
        : createErrorResult(INTERRUPTED, call.id, { outcome: 'cancelled' })
      writer?.write({ type: 'tool-output-available', toolCallId: call.id, output })
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same part in its next state
      return {
        ...part,
        // Without a storage, an ended question has no arguments any more.
        input: isRunAgain || resuming.staysOpen ? call.arguments : part.input,
        state: 'output-available',
        output,
      } as typeof part
    }),
  )
  return { last: { ...last, parts }, waiting }
}

/** States of a call that may run, or may have run, without a result. */
const UNFINISHED: ReadonlySet<string> = new Set(['input-available', 'approval-responded'])

async function runAgain(
  call: ToolCall,
  asked: readonly PendingQuestion[],
  { getDefinition, run }: Resuming,
): Promise<ToolResult> {
  const answered = asked.flatMap((question): AnsweredQuestion[] => {
    const { request, blocks, definition } = question
    const answer =
      definition === getDefinition(call.name)
        ? toAnswer(question)
        : ({ action: 'cancel', reason: 'withdrawn', message: DEFINITION } as const)
    return answer ? [{ request, answer, blocks }] : []
  })
  return await run(call, answered)
}

const INTERRUPTED =
  'The result of this call did not reach the conversation. A part of the work may be done, and the call was not made again.'

const NOT_EXECUTED =
  'The call was not executed, because the conversation continued before a person had decided about it. A later decision does not count.'

const DEFINITION = 'the definition of the tool has changed'
