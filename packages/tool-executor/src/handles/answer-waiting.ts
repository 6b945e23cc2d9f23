import { describeUnanswered, type FoundQuestion } from '@toolblocks/inquiry'
import {
  createFailure,
  MAX_INQUIRY_ROUNDS,
  type Answers,
  type JsonValue,
  type ToolResult,
} from '@toolblocks/protocol'
import { checkResult } from '../results/check-result.ts'
import type { Handle } from './handle.ts'
import type { LiveUse } from './live-use.ts'
import { isForModel } from './questions-for-model.ts'
import { readResponse } from './read-response.ts'

/** What became of the questions of a waiting live call: `ended` is the result that stands for the call, which is to be aborted. */
export type Answered =
  | { kind: 'response'; response: ToolResult }
  | { kind: 'ended'; result: ToolResult }

/**
 * Answers what a waiting live call asks of people, until it asks nothing more of them. Questions for the driving model
 * stay open, and its `apply` answers them. What a person declines ends the call.
 */
export async function answerWaiting(
  handle: Handle,
  given: ToolResult,
  use: LiveUse,
): Promise<Answered> {
  let response = checkResult(given, handle.entry.tool.name)
  for (let round = 1; ; round++) {
    const { status, questions, warnings } = readResponse(response, handle.pending)
    warnings.forEach(use.warn)
    const routes = handle.entry.routes ?? {}
    if (status !== 'waiting' || questions.some(({ request }) => isForModel(request, routes)))
      return { kind: 'response', response }
    if (round > MAX_INQUIRY_ROUNDS) return { kind: 'ended', result: tooManyRounds(handle) }
    const asked = await askPeople(handle, questions, use)
    if (asked.kind === 'unanswered') return { kind: 'response', response: asUnanswered(response) }
    // Another result takes the place of this one, whose warnings would be gone.
    response.metadata?.warnings?.forEach(use.warn)
    if (asked.kind === 'ended') return asked
    handle.pending = []
    const next = await handle.live.apply({ answers: asked.answers }, use.context.signal)
    response = checkResult(next, handle.entry.tool.name)
  }
}

/** What people answered to all of these questions. */
export type AskedPeople =
  | { kind: 'answers'; answers: Answers }
  /** Nobody could answer, and the host wants the questions back. */
  | { kind: 'unanswered' }
  | { kind: 'ended'; result: ToolResult }

/** Puts questions to people, one after the other. */
export async function askPeople(
  handle: Handle,
  questions: readonly FoundQuestion[],
  { context, unanswered }: LiveUse,
): Promise<AskedPeople> {
  const answers = new Map<string, JsonValue>()
  const source = { kind: 'handle', call: handle.call, handle: handle.id } as const
  const signal = AbortSignal.any([context.signal, handle.end.signal])
  for (const { request, blocks, after } of questions) {
    const answer = await context.ask(request, { blocks, after, source, signal })
    if (answer.action !== 'accept') {
      const result = describeUnanswered(request, answer)
      const isReturned = unanswered === 'return' && result.metadata?.outcome === 'unanswered'
      return isReturned ? { kind: 'unanswered' } : { kind: 'ended', result }
    }
    answers.set(request.id, answer.value)
  }
  return { kind: 'answers', answers: Object.fromEntries(answers) }
}

function asUnanswered(response: ToolResult): ToolResult {
  return { ...response, isError: true, metadata: { ...response.metadata, outcome: 'unanswered' } }
}

function tooManyRounds({ entry }: Handle): ToolResult {
  const text = `The tool "${entry.tool.name}" asked for ${MAX_INQUIRY_ROUNDS} rounds and was stopped.`
  return createFailure(text)
}
