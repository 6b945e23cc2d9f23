import { describeMissingPeer } from '@toolblocks/protocol/text'
import type { StoreUnderTest } from './compliance/store-under-test.ts'

export type { StoreUnderTest } from './compliance/store-under-test.ts'

const ENTRY = '@toolblocks/conversation-store/compliance'

/** Loaded here, so that the error can name an optional peer that is missing. */
const tests = await import('./compliance/describe-conversation-store.ts').catch(
  (cause: unknown) => {
    throw ['vitest', 'fast-check'].reduce(
      (error, peer) => describeMissingPeer(error, { entry: ENTRY, peer }),
      cause,
    )
  },
)

/**
 * Declares the Vitest tests that every store must pass, however it keeps its rows. An engine of a host is correct when all of them pass. `open`
 * creates an empty store, which dates events by the clock it receives.
 */
export function describeConversationStore(
  name: string,
  open: (now: () => Date) => Promise<StoreUnderTest>,
): void {
  tests.describeConversationStore(name, open)
}
