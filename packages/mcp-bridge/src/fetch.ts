export { AnswerError, fetchAnswer } from './wire/fetch-answer.ts'
export { maskBody } from './wire/known-secrets.ts'
