import type { JsonValue } from '../json/json.ts'
import type { Answer, AnswerQuestion, Answers, QuestionSource } from './answer.ts'
import type { FoundQuestion } from './find-questions.ts'
import type { InputRequest } from './input-request.ts'

/** What came of several questions: all answers, or the first question without one. */
export type AskedQuestions =
  | { kind: 'answers'; answers: Answers }
  | { kind: 'unanswered'; request: InputRequest; answer: Exclude<Answer, { action: 'accept' }> }

/** Puts questions one after the other, and stops at the first that gets no answer. */
export async function askQuestions(
  questions: readonly FoundQuestion[],
  use: { ask: AnswerQuestion; source: QuestionSource; signal: AbortSignal },
): Promise<AskedQuestions> {
  const { ask, source, signal } = use
  const answers = new Map<string, JsonValue>()
  for (const { request, blocks, after } of questions) {
    const answer = await ask(request, { blocks, after, source, signal })
    if (answer.action !== 'accept') return { kind: 'unanswered', request, answer }
    answers.set(request.id, answer.value)
  }
  return { kind: 'answers', answers: Object.fromEntries(answers) }
}
