// What `@toolblocks/session-import` and the command need of this package beside its API. It may change in any version.
export { findEventProblem } from './events/decode-event.ts'
export {
  type UnfinishedCall,
  findImportedAgent,
  findUnfinishedCall,
  getImportedFields,
  isWrittenByPerson,
} from './events/person-text.ts'
export { isLostEvent, type LostEvent } from './export/read-entries.ts'
export { entryToJson } from './export/render-json-lines.ts'
export { pairDeliveries } from './history/project-history.ts'
export { damagedEvent, type StoreProblem } from './problems/store-error.ts'
export { openStoredEvent, readStoredBytes } from './rows/read-row.ts'
export { type SqlRow, toBytes } from './rows/sql-row.ts'
export { type EventPageRequest } from './store/conversation-store.ts'
export { openEvents } from './store/open-events.ts'
