export {
  createPendingPorts,
  type PendingPorts,
  type CallToApprove,
  type WaitingOptions,
} from './pending/create-pending-ports.ts'
export {
  type AskingClient,
  isPendingQuestion,
  type PendingQuestion,
  SettledElsewhere,
} from './pending/pending-question.ts'
export {
  answerPendingQuestion,
  type AnswerResult,
  awaitPendingQuestion,
  listPendingQuestions,
  openPendingQuestion,
  type PendingOptions,
  type PersonAnswer,
  type QuestionKey,
  type QuestionStorage,
  readPendingQuestion,
  settlePendingQuestion,
  toAnswer,
} from './pending/pending-questions.ts'
export { type PendingList } from './pending/pending-questions.ts'
