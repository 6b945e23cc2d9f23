import type { AskedParty, InputRequest, QuestionContext } from '@toolblocks/protocol'
import type { PreparedQuestion } from '../questions/prepare-question.ts'
import type { PutQuestion } from '../questions/question-log.ts'
import type { InquiryProblem } from '../inquiry-problem.ts'

/** A question on its way to an answer, with what is done on the way. */
export interface Asking {
  question: PreparedQuestion
  context: QuestionContext
  warn: (problem: InquiryProblem) => void
  put: (...asked: [InputRequest, AskedParty]) => ReturnType<PutQuestion>
  /** Marks what of the blocks a person has not seen yet; from then on they have. */
  show(context: QuestionContext): QuestionContext
}
