import type { EventRows } from '../rows/event-rows.ts'
import type { ConversationStore } from '../store/conversation-store.ts'

/** A store to test, and the function that removes it. */
export interface StoreUnderTest {
  store: ConversationStore
  /** Removes what the store has kept. Called after each test, once the store is closed. */
  remove: () => Promise<void>
  /** The rows of the store, to which damaged data is written. Without them, the tests of damaged documents are skipped. */
  rows?: EventRows
  /** Opens the same data again, as another process would. Absent if only one store can have it open. */
  openAgain?: () => Promise<ConversationStore>
}
