export { type KeptBlob, piecesOf } from './events/blob.ts'
export { createMemoryRows } from './rows/memory-rows.ts'
export { createStore, type StoreOptions } from './store/create-store.ts'
export {
  type BlobRows,
  type EventRows,
  type FoundEvent,
  type FoundRows,
  type ListedConversation,
  type RowRange,
  type RowSpan,
  type SearchQuery,
  spanOf,
} from './rows/event-rows.ts'
export {
  type EventBytes,
  type EventRow,
  type Head,
  type KeptHead,
  NOTHING_KEPT,
  NO_HEAD,
  chainRows,
  sealOf,
} from './rows/event-row.ts'
