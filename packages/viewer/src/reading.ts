export { type TitledHit, addTitles } from './reading/add-titles.ts'
export {
  type CallPart,
  OUTCOME_SYMBOLS,
  TODO_MARKERS,
  describeCall,
  toPartResult,
} from './reading/describe-call.ts'
export { describeFacts, formatMinute, formatTimeSpan } from './reading/describe-facts.ts'
export {
  describeStandaloneNote,
  describeNote,
  describeProgramMessage,
  describeRecords,
  getSpeaker,
} from './reading/describe-note.ts'
export {
  type Card,
  type CardEvent,
  getCardEvents,
  isWaiting,
  readCards,
  toModelResults,
} from './reading/read-cards.ts'
export { type UndoneGroup, placeUndone } from './reading/place-undone.ts'
export { type ShortenId, createShortIds, getIdLabel, readShortIds } from './reading/short-ids.ts'
export {
  type Prices,
  createUsageSum,
  describeUsageSum,
  formatTokens,
  estimateTokens,
} from './reading/usage.ts'
export { type StatisticsData, readStatistics } from './timeline/conversation-statistics.ts'
export { type ReadStatistics } from './timeline/statistics-cache.ts'
