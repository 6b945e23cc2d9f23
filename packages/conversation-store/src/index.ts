export {
  type AppendResult,
  type ConversationList,
  type ConversationStore,
  type DamagedEvent,
  type EventPage,
  type EventPageRequest,
  type SearchHit,
} from './store/conversation-store.ts'
export { type Documents, type StoredDocument } from './store/documents.ts'
export {
  acquireLease,
  isLeaseHeld,
  type Lease,
  type LeaseOptions,
  type LeaseResult,
  readLeaseHolder,
} from './store/lease.ts'
export {
  pairDeliveries,
  type ProjectedEntry,
  type Projection,
  projectHistory,
} from './history/project-history.ts'
export {
  type ConversationDescription,
  describeConversation,
} from './history/describe-conversation.ts'
export {
  type UnfinishedCall,
  findImportedAgent,
  findUnfinishedCall,
  getImportedFields,
  getPersonText,
  isWrittenByPerson,
} from './events/person-text.ts'
export {
  type ApprovalEvent,
  type Compaction,
  type ConversationEvent,
  type DatedEvent,
  type DeliveryEvent,
  type StoredEvent,
  type UnknownEvent,
} from './events/conversation-event.ts'
export {
  isLostEvent,
  type LostEvent,
  readEntries,
  type StoredEntry,
} from './export/read-entries.ts'
export { FORMAT_NAMES, type FormatName } from './events/format-name.ts'
export { entryToJson, renderJsonLinesExport } from './export/render-json-lines.ts'
export { type History, type HistoryEntry, readHistory } from './history/read-history.ts'
export { type Rewinds, createRewinds } from './history/rewinds.ts'
export { type ConversationSummary } from './rows/event-rows.ts'
export { type OpenStoreOptions, openStore } from './open-store.ts'
export { type ScrubResult } from './scrub/scrub-store.ts'
export { StoreError, type StoreErrorCode, type StoreProblem } from './problems/store-error.ts'
export { createReadToolResult, READ_TOOL_RESULT } from './history/create-read-tool-result.ts'
