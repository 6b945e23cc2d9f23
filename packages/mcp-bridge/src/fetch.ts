export {
  AnswerError,
  type AnswerErrorKind,
  type AnswerLimits,
  type AnswerOptions,
  fetchAnswer,
} from './wire/fetch-answer.ts'
