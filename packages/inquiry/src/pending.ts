export {
  createPendingPorts,
  type PendingPorts,
  type PendingPortsOptions,
  type WaitingOptions,
} from './pending/create-pending-ports.ts'
export {
  isPendingQuestion,
  PENDING_STATES,
  type PendingQuestion,
  type PendingState,
  SettledElsewhere,
  type Settlement,
} from './pending/pending-question.ts'
export {
  answerPendingQuestion,
  type AnswerResult,
  awaitPendingQuestion,
  listPendingQuestions,
  type NewSettlement,
  openPendingQuestion,
  type PendingList,
  type PendingOptions,
  type PersonAnswer,
  type QuestionKey,
  type QuestionStorage,
  readPendingQuestion,
  settlePendingQuestion,
  type SettleResult,
  toAnswer,
} from './pending/pending-questions.ts'
