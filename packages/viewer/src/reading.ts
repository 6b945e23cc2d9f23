export { type TitledHit, addTitles } from './reading/add-titles.ts'
export {
  type CallPart,
  OUTCOME_SIGNS,
  TODO_BOXES,
  describeCall,
  resultOfPart,
} from './reading/describe-call.ts'
export { describeFacts, describeMinute, describeSpan } from './reading/describe-facts.ts'
export {
  describeLoneNote,
  describeNote,
  describeProgramMessage,
  describeRecords,
} from './reading/describe-note.ts'
export { type Kept, type LostEvent, isLost, readAll } from './reading/read-all.ts'
export {
  type Card,
  type CardEvent,
  eventsOf,
  readCards,
  saidByModel,
} from './reading/read-cards.ts'
export { type ShortenId, createShortIds, nameOf, shortIdsOf } from './reading/short-ids.ts'
export {
  type Prices,
  createUsageSum,
  describeUsageSum,
  tokensInWords,
  tokensOf,
} from './reading/usage.ts'
