import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { ConnectionListener } from '../connection/connection.ts'

/** A request of the server's as the SDK hands it on. */
interface GivenRequest {
  id: string | number
  method: string
  params?: unknown
}

/** The requests of a server that are being answered. */
export interface ServerRequests {
  /** One has arrived, and may be taken back before it comes to `answer`. */
  expect: (request: Pick<GivenRequest, 'id' | 'method'>) => void
  answer: (request: GivenRequest) => Promise<Record<string, unknown>>
  /** The server takes one back. */
  cancel: (id: unknown) => void
  /** The connection is over. */
  abort: () => void
}

/** Answers requests through the listener; each can be taken back by its id. */
export function createServerRequests(
  listener: ConnectionListener,
  tokenOf: (id: string | number) => string | undefined,
): ServerRequests {
  const open = new Map<unknown, AbortController>()
  return {
    expect: ({ id, method }) => {
      // The SDK answers pings itself.
      if (method !== 'ping') open.set(id, new AbortController())
    },
    answer: async ({ id, method, params }) => {
      const controller = open.get(id) ?? new AbortController()
      const token = tokenOf(id)
      const given: JsonObject = isJsonObject(params) ? params : {}
      const { signal } = controller
      try {
        return {
          ...(await listener.onRequest({
            method,
            params: given,
            signal,
            ...(token !== undefined && { token }),
          })),
        }
      } finally {
        open.delete(id)
      }
    },
    cancel: (id) => open.get(id)?.abort(),
    abort: () => {
      for (const controller of open.values()) controller.abort()
    },
  }
}
