import type { ServedClient } from '@toolblocks/mcp-bridge/server'
import type { KeptCall, KeptCalls } from './kept-call.ts'

/** A session whose client may be back in another one. */
type SessionClient = Pick<ServedClient, 'identity' | 'identified' | 'info' | 'isConnected'>

/** The sessions of all clients. A client that is back in another session gets the results that it has not received. */
export interface ClientSessions {
  /** Adds the calls of a session. Returns them with those of the other sessions of this client that have no connection. */
  join(client: SessionClient, own: KeptCalls): JoinedCalls
  /** Says that all sessions end now. */
  close(): void
}

/** The calls of a session, until it leaves. */
export interface JoinedCalls {
  calls: KeptCalls
  leave(): void
}

/** Creates the list of sessions. A session with a connection keeps its calls: two windows of one host do not share them. */
export function createClientSessions(): ClientSessions {
  const sessions = new Map<string, Map<KeptCalls, () => boolean>>()
  const { promise: closing, resolve: close } = Promise.withResolvers<void>()
  return {
    close,
    join: (client, own) => {
      const { identity, identified, info, isConnected: isOwnConnected = () => true } = client
      const owner = JSON.stringify([identity, identified?.groups, info?.['name']])
      const alike = sessions.get(owner) ?? new Map<KeptCalls, () => boolean>()
      sessions.set(owner, alike)
      alike.set(own, isOwnConnected)
      const findElsewhere = (
        find: (calls: KeptCalls) => KeptCall | undefined,
      ): KeptCall | undefined => {
        for (const [calls, isConnected] of alike) {
          const kept = calls === own || isConnected() ? undefined : find(calls)
          if (kept) {
            kept.isTaken = true
            return kept
          }
        }
        return undefined
      }
      return {
        calls: {
          ...own,
          findLeft: (key) => own.findLeft(key) ?? findElsewhere((calls) => calls.findLeft(key)),
          waitForTaken: async (kept) => {
            // One that waits for a person waits in the store.
            const taken = kept.filter(({ isTaken, question }) => isTaken === true && !question)
            const results = Promise.allSettled(taken.map(async ({ result }) => await result))
            await Promise.race([results, closing])
          },
          findById: (id) => own.findById(id) ?? findElsewhere((calls) => calls.findById(id)),
        },
        leave: () => {
          alike.delete(own)
          if (alike.size === 0 && sessions.get(owner) === alike) sessions.delete(owner)
        },
      }
    },
  }
}
