export {
  type ApprovalEvent,
  type Compaction,
  type ConversationEvent,
  type DatedEvent,
  type DeliveryEvent,
  type StoredEvent,
  type UnknownEvent,
} from './events/conversation-event.ts'
export { FORMAT_NAMES, type FormatName } from './events/format-name.ts'
export { getPersonText } from './events/person-text.ts'
export { readEntries, type StoredEntry } from './export/read-entries.ts'
export { renderJsonLinesExport } from './export/render-json-lines.ts'
export { createReadToolResult, READ_TOOL_RESULT } from './history/create-read-tool-result.ts'
export {
  type ConversationDescription,
  describeConversation,
} from './history/describe-conversation.ts'
export { type ProjectedEntry, type Projection, projectHistory } from './history/project-history.ts'
export { type History, type HistoryEntry, readHistory } from './history/read-history.ts'
export { type Rewinds, createRewinds } from './history/rewinds.ts'
export { type OpenStoreOptions, openStore } from './open-store.ts'
export { StoreError, type StoreErrorCode } from './problems/store-error.ts'
export { type ConversationSummary } from './rows/event-rows.ts'
export { type ScrubResult } from './scrub/scrub-store.ts'
export {
  type AppendResult,
  type ConversationList,
  type ConversationStore,
  type DamagedEvent,
  type EventPage,
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
export { type DocumentWriteResult } from './store/documents.ts'
export { type DocumentList } from './store/documents.ts'
