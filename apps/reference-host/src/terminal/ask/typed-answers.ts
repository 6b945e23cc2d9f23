import type { AnswerQuestion } from '@toolblocks/protocol'
import { readAnswer } from '../typed/read-answer.ts'

/** Answers questions with what was typed beforehand, read as each question wants it; the rest go to `otherwise`. */
export function createTypedAnswers(
  answers: ReadonlyMap<string, string>,
  otherwise: AnswerQuestion | undefined,
): AnswerQuestion {
  return async (request, context) => {
    const text = answers.get(request.id)
    if (text !== undefined && context.problems === undefined) {
      const read = await readAnswer(text, request)
      return { action: 'accept', value: read.ok ? read.value : text }
    }
    return (await otherwise?.(request, context)) ?? { action: 'cancel', reason: 'nobody' }
  }
}
