export {
  createAnswerPort,
  MAX_TRIES,
  type AnswerPortOptions,
} from './answers/create-answer-port.ts'
export { describeEnd } from './describe-end.ts'
export { findQuestions, type FoundQuestion } from './questions/find-questions.ts'
export { isSecret } from './questions/is-secret.ts'
export type { RecordInquiry } from './record-inquiry.ts'
export { routeOf, type Route, type Routes, type Target } from './routes.ts'
export { runInquiry, type InquiryOptions } from './run-inquiry.ts'
