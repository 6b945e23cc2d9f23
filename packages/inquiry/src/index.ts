export {
  type AnswerPortOptions,
  MAX_TRIES,
  createAnswerPort,
} from './answers/create-answer-port.ts'
export type { InquiryProblem, InquiryProblemCode } from './questions/inquiry-problem.ts'
export {
  type PutQuestion,
  type RecordInquiry,
  createQuestionLog,
} from './questions/question-log.ts'
export { routeOf, type Route, type Routes, type Target } from './questions/routes.ts'
export { runInquiry, type InquiryOptions } from './run-inquiry.ts'
