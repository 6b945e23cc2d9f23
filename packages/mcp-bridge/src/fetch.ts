export {
  AnswerError,
  type AnswerErrorKind,
  type AnswerLimits,
  type AnswerOptions,
  fetchAnswer,
  type LookUpHost,
} from './wire/fetch-answer.ts'
export { maskBody } from './wire/known-secrets.ts'
