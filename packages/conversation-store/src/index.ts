export type {
  AppendResult,
  ConversationList,
  ConversationStore,
  DamagedEvent,
  FollowRequest,
  ConversationListRequest,
  EventPage,
  EventPageRequest,
  SearchHit,
  SearchRequest,
} from './store/conversation-store.ts'
export type {
  DamagedDocument,
  DocumentList,
  DocumentListRequest,
  Documents,
  DocumentWrite,
  DocumentWriteResult,
  StoredDocument,
} from './store/documents.ts'
export {
  acquireLease,
  isLeaseHeld,
  type Lease,
  type LeaseOptions,
  type LeaseResult,
  readLeaseHolder,
} from './store/lease.ts'
export {
  type PairedEntry,
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
export type {
  ApprovalEvent,
  Compaction,
  ConversationEvent,
  DatedEvent,
  DeliveryEvent,
  StoredEvent,
  UnknownEvent,
} from './events/conversation-event.ts'
export {
  type EntriesRequest,
  isLostEvent,
  type LostEvent,
  readEntries,
  type StoredEntry,
} from './export/read-entries.ts'
export { FORMAT_NAMES, type FormatName } from './events/format-name.ts'
export { entryToJson, renderJsonLinesExport } from './export/render-json-lines.ts'
export { type History, type HistoryEntry, readHistory } from './history/read-history.ts'
export { type Rewinds, createRewinds } from './history/rewinds.ts'
export type { ConversationSummary } from './rows/event-rows.ts'
export { type OpenStoreByAddress, type OpenStoreOptions, openStore } from './open-store.ts'
export type { ScrubResult, ScrubRequest } from './scrub/scrub-store.ts'
export type { FormCount, LetterCase, SecretForm } from './scrub/secret-forms.ts'
export {
  StoreError,
  type StoreErrorCode,
  type StoreProblem,
  type StoreProblemCode,
} from './problems/store-error.ts'
export {
  createReadToolResult,
  READ_TOOL_RESULT,
  type ReadToolResultOptions,
} from './history/create-read-tool-result.ts'
