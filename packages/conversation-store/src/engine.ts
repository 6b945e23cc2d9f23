export { type StoredBlob, getBlobPieceHashes } from './events/blob.ts'
export { createMemoryRows } from './rows/memory-rows.ts'
export { createStore, type StoreOptions } from './store/create-store.ts'
export {
  type BlobRows,
  type EventRows,
  type FoundEvent,
  type SearchRowsResult,
  type ListedConversation,
  type NewBlobs,
  type RowChange,
  type RowRange,
  type RowSpan,
  type SearchQuery,
  type TimeSpan,
  resolveRowRange,
} from './rows/event-rows.ts'
export type {
  DocumentQuery,
  DocumentRow,
  DocumentRows,
  PlacedDocumentRow,
} from './rows/document-rows.ts'
export {
  type EventBytes,
  type EventRow,
  type ChainHead,
  type StoredHead,
  EMPTY_STORED_HEAD,
  EMPTY_CHAIN_HEAD,
  chainRows,
  computeSeal,
} from './rows/event-row.ts'
