export { createAnswerPort } from './answers/create-answer-port.ts'
export { type RecordInquiry, createQuestionLog } from './questions/question-log.ts'
export { findRoute, type QuestionRoute, type QuestionRoutes } from './questions/routes.ts'
export { runInquiry } from './run-inquiry.ts'
