export { describeContinued, hasContinued } from './reading/continued-call.ts'
export {
  describeAsked,
  describeClient,
  describeLocal,
  describeSettlement,
  describeTimes,
} from './reading/describe-pending.ts'
export { findPersonConversation } from './reading/find-person-conversation.ts'
