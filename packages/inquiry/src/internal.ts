// Inner parts that the packages of the same version share. No API: they may change in any version.
export { createQuestionLog } from './questions/question-log.ts'
export { findRoute } from './questions/routes.ts'
