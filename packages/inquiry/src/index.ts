export {
  createAnswerPort,
  MAX_TRIES,
  type AnswerPortOptions,
} from './answers/create-answer-port.ts'
export { describeEnd } from './describe-end.ts'
export type { Asked, InquiryEvent, RecordInquiry, Settlement } from './inquiry-event.ts'
export { findQuestions, type FoundQuestion } from './questions/find-questions.ts'
export { isSecret } from './questions/is-secret.ts'
export { routeOf, type Route, type Routes, type Target } from './routes.ts'
export { runInquiry, type InquiryOptions } from './run-inquiry.ts'
