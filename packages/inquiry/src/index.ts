export { createAnswerPort } from './answers/create-answer-port.ts'
export { type RecordInquiry } from './questions/question-log.ts'
export { type QuestionRoute, type QuestionRoutes } from './questions/routes.ts'
export { runInquiry } from './run-inquiry.ts'
