import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ServerTransport } from '../server-config.ts'
import { guardFetch } from './guard-fetch.ts'
import type { Held, Link } from '../connection/link.ts'

/** How long a server gets for saying goodbye to. */
const LEAVE_MS = 2000

/** A Streamable HTTP endpoint whose every request is answered. */
export function reachEndpoint({ url, headers }: Extract<ServerTransport, { kind: 'http' }>): Link {
  const held = new Map<string | number, Held>()
  const origins = new Map<string | number, string>()
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch: guardFetch({
      hold: (id, what) => void held.set(id, what),
      noteOrigin: (id, token) => void origins.set(id, token),
    }),
  })
  return {
    transport,
    explainEnd: () => ({
      kind: 'lost',
      reason: 'the connection was lost',
      maybeExecuted: true,
      transient: true,
    }),
    take: (id) => {
      const what = held.get(id)
      held.delete(id)
      return what
    },
    tokenOf: (id) => {
      const token = origins.get(id)
      origins.delete(id)
      return token
    },
    leave: async () => {
      if (transport.sessionId === undefined) return
      const late = new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref())
      await Promise.race([transport.terminateSession().catch(() => undefined), late])
    },
  }
}
