export { AnswerError, type AnswerErrorKind } from './wire/answer-error.ts'
export {
  type AnswerLimits,
  type AnswerOptions,
  fetchAnswer,
  type LookUpHost,
} from './wire/fetch-answer.ts'
export { maskBody } from './wire/known-secrets.ts'
