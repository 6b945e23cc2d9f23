import type { ContentBlock } from '../content/content-block.ts'
import type { InputRequest } from '../content/input-request.ts'
import type { JsonValue } from '../json/json.ts'
import { type Outcome, type ToolResult, createFailure } from '../tools/tool-result.ts'
import type { Answer, AnswerQuestion, Answers, CancelReason, QuestionSource } from './answer.ts'

/** The result of several questions: all answers, or the first question without one. */
export type AskedQuestions =
  | { kind: 'answers'; answers: Answers }
  /** `request` has this `answer` without a value. Later questions were not asked. */
  | {
      kind: 'unanswered'
      request: InputRequest
      answer: Exclude<Answer, { action: 'accept' }>
      /** The blocks before the question. */
      blocks: readonly ContentBlock[]
    }

/** Asks questions one after the other, and stops at the first without an answer. */
export async function askQuestions(
  questions: readonly FoundQuestion[],
  use: { ask: AnswerQuestion; source: QuestionSource; signal: AbortSignal },
): Promise<AskedQuestions> {
  const { ask, source, signal } = use
  const answers = new Map<string, JsonValue>()
  for (const [index, { request, blocks, after }] of questions.entries()) {
    const more = questions.length - index - 1
    const context = { blocks, after, source, signal, ...(more > 0 && { more }) }
    const answer = await ask(request, context)
    if (answer.action !== 'accept') return { kind: 'unanswered', request, answer, blocks }
    answers.set(request.id, answer.value)
  }
  return { kind: 'answers', answers: Object.fromEntries(answers) }
}

/** A question of a result with its context. */
export interface FoundQuestion {
  request: InputRequest
  /** All blocks before it, without earlier questions. */
  blocks: readonly ContentBlock[]
  /** With the last question that has its own id: the blocks after it. */
  after: readonly ContentBlock[]
}

/** Returns the questions of a result in order, each with the blocks before it. No block of the result is lost. */
export function findQuestions(result: Pick<ToolResult, 'content'>): readonly FoundQuestion[] {
  const questions: FoundQuestion[] = []
  const blocks: ContentBlock[] = []
  for (const block of result.content) {
    if (block.type !== 'question') blocks.push(block)
    else questions.push({ request: block.question, blocks: [...blocks], after: [] })
  }
  const last = lastAskable(questions)
  return questions.map((question) =>
    question === last ? { ...question, after: blocks.slice(question.blocks.length) } : question,
  )
}

/** Answers have ids. A question without an id, or with a repeated one, may be omitted, but the blocks after it must not be. */
function lastAskable(questions: readonly FoundQuestion[]): FoundQuestion | undefined {
  const ids = new Set([''])
  const askable = questions.filter(({ request: { id } }) => {
    const isNew = !ids.has(id)
    ids.add(id)
    return isNew
  })
  return askable.at(-1) ?? questions.at(-1)
}

/**
 * Returns the result of a call whose question got no answer: the blocks before the question, which would otherwise be lost, then the question and
 * the reason.
 */
export function describeUnanswered(
  { id, text }: InputRequest,
  answer: Exclude<Answer, { action: 'accept' }>,
  blocks: readonly ContentBlock[] = [],
): ToolResult {
  const [label] = text.trim().split(/[\r\n]/)
  const { outcome, phrase } = ENDED[answer.action === 'decline' ? 'declined' : answer.reason]
  const message = 'message' in answer && answer.message !== undefined ? `: ${answer.message}` : ''
  const sentence = `The tool asked "${label}" (${id}), and ${phrase}${message}.`
  const { content, ...failure } = createFailure(sentence, outcome)
  return {
    ...failure,
    content: [...blocks, ...content],
    metadata: { ...failure.metadata, question: id },
  }
}

/** How a question without an answer ends its call. */
const ENDED: Readonly<
  Record<CancelReason | 'declined', { outcome: Exclude<Outcome, 'completed'>; phrase: string }>
> = {
  declined: { outcome: 'denied', phrase: 'that was declined' },
  user: { outcome: 'cancelled', phrase: 'the question was cancelled' },
  'end-of-input': { outcome: 'cancelled', phrase: 'the input ended before an answer came' },
  aborted: { outcome: 'cancelled', phrase: 'the call was aborted before an answer came' },
  withdrawn: { outcome: 'cancelled', phrase: 'the question was withdrawn' },
  expired: { outcome: 'timeout', phrase: 'no answer came in time' },
  nobody: { outcome: 'unanswered', phrase: 'nobody could answer it' },
  'wrong-answer': { outcome: 'unanswered', phrase: 'the answers did not match the schema' },
  failed: { outcome: 'failed', phrase: 'getting an answer failed' },
}
