export {
  type AnswerPortOptions,
  MAX_ATTEMPTS,
  createAnswerPort,
} from './answers/create-answer-port.ts'
export type { InquiryProblem, InquiryProblemCode } from './questions/inquiry-problem.ts'
export {
  type RecordQuestion,
  type RecordInquiry,
  createQuestionLog,
} from './questions/question-log.ts'
export {
  findRoute,
  type QuestionRoute,
  type QuestionRoutes,
  type AnswererName,
} from './questions/routes.ts'
export { runInquiry, type InquiryOptions } from './run-inquiry.ts'
