export type {
  Appended,
  ConversationStore,
  DamagedEvent,
  Page,
  PageRequest,
} from './conversation-store.ts'
export type { ConversationEvent, StoredEvent, UnknownEvent } from './events/conversation-event.ts'
export { openStore, type StoreOptions } from './open-store.ts'
export type { ConversationSummary } from './rows/event-rows.ts'
export { StoreError, type StoreErrorCode } from './store-error.ts'
