import { describeMissingPeer } from '@toolblocks/protocol'
import type { StoreUnderTest } from './compliance/describe-conversation-store.ts'

export type { StoreUnderTest } from './compliance/describe-conversation-store.ts'

const ENTRY = '@toolblocks/conversation-store/compliance'

/** Loaded here, so that who lacks an optional peer learns what to add. */
const tests = await import('./compliance/describe-conversation-store.ts').catch(
  (cause: unknown) => {
    throw ['vitest', 'fast-check'].reduce(
      (error, peer) => describeMissingPeer(error, { entry: ENTRY, peer }),
      cause,
    )
  },
)

/**
 * Tests what every store must do, whatever keeps its rows, with Vitest: an engine of a host's own passes when all of it does. `open` makes
 * an empty store that dates events by the clock it is given.
 */
export function describeConversationStore(
  name: string,
  open: (now: () => Date) => Promise<StoreUnderTest>,
): void {
  tests.describeConversationStore(name, open)
}
