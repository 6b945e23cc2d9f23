import { type Documents, isLeaseHeld } from '@toolblocks/conversation-store'
import type { PendingOptions } from '@toolblocks/inquiry/pending'
import type { AgentHost } from './hold-conversation.ts'

/**
 * Returns the options with which other programs read the questions of agents in a store. A question whose call cannot be made again is withdrawn if
 * its host does not hold the lease of its conversation any more. If the host may have ended without a notice, the answer takes as long as a lease
 * lasts: 15 seconds.
 */
export function getPendingOptions(
  documents: Documents,
  { isGone, durationMs }: Omit<AgentHost, 'holder'> = {},
): PendingOptions & Required<Pick<PendingOptions, 'isAsked'>> {
  const running = new Map<string, Promise<boolean>>()
  return {
    storage: documents,
    isAsked: async ({ conversation, host, isRepeatable }) => {
      // A question that can be asked again may be asked by another host than the first one.
      const holder = isRepeatable ? {} : { holder: host }
      const key = JSON.stringify([conversation, holder])
      const known = running.get(key)
      if (known) return await known
      const asked = isLeaseHeld(documents, conversation, {
        ...holder,
        ...(isGone && { isGone }),
        ...(durationMs !== undefined && { durationMs }),
      })
      running.set(key, asked)
      try {
        return await asked
      } finally {
        running.delete(key)
      }
    },
  }
}
