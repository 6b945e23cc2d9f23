export { createLimitedOutput } from './calls/limited-output.ts'
export { createInputQuestion, readLiveResponse } from './calls/read-live-response.ts'
export {
  describeEndedCall,
  runLiveCall,
  createTooManyInteractionsResult,
} from './calls/run-live-call.ts'
export { LIVE_ACTIONS, toToolContext } from './calls/tool.ts'
export { isRepeatable } from './questions/answer.ts'
export { askQuestions, describeUnanswered, findQuestions } from './questions/ask-questions.ts'
export { formatProgressLine, readProgressLine } from './wire/progress-line.ts'
