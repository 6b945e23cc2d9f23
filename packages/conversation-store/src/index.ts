export type {
  Appended,
  ConversationList,
  ConversationStore,
  DamagedEvent,
  ListRequest,
  Page,
  PageRequest,
} from './conversation-store.ts'
export type { KeptBlob } from './blobs/blob.ts'
export { piecesOf } from './blobs/keep-stream.ts'
export {
  type ProjectedEntry,
  type Projection,
  projectHistory,
} from './compaction/project-history.ts'
export { createStore, type StoreOptions } from './create-store.ts'
export {
  type ConversationDescription,
  describeConversation,
} from './describe/describe-conversation.ts'
export { importedFields, isOfPerson, wordsOfPerson } from './describe/words-of-person.ts'
export type {
  ApprovalEvent,
  Compaction,
  ConversationEvent,
  DatedEvent,
  DeliveryEvent,
  StoredEvent,
  UnknownEvent,
} from './events/conversation-event.ts'
export type { FollowRequest } from './follow/follow-conversation.ts'
export { type History, type HistoryEntry, readHistory } from './history/read-history.ts'
export { type OpenOptions, openStore } from './open-store.ts'
export type { BlobRows } from './rows/blob-rows.ts'
export { chainRows, type EventBytes, type EventRow, type Head, NO_HEAD } from './rows/event-row.ts'
export type {
  ConversationSummary,
  EventRows,
  FoundEvent,
  FoundRows,
  ListedConversation,
  RowRange,
  SearchQuery,
} from './rows/event-rows.ts'
export { type KeptHead, NOTHING_KEPT, sealOf } from './rows/kept-head.ts'
export { type RowSpan, spanOf } from './rows/row-span.ts'
export type { Scrubbed, ScrubRequest } from './scrub/scrub-store.ts'
export type { FormCount, LetterCase, SecretForm } from './scrub/secret-forms.ts'
export type { SearchHit, SearchRequest } from './search/search-store.ts'
export { StoreError, type StoreErrorCode } from './store-error.ts'
export type { StoreProblem, StoreProblemCode } from './store-problem.ts'
export {
  createReadToolResult,
  READ_TOOL_RESULT,
  type ReadToolResultOptions,
} from './tools/create-read-tool-result.ts'
