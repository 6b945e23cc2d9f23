import type { ServerTransport } from '../server-config.ts'
import { guardFetch } from './guard-fetch.ts'
import type { Held, Link, SdkTransport } from '../connection/link.ts'

/** How long a server gets for saying goodbye to. */
const LEAVE_MS = 2000

/** The transport of an SDK, and how its session is ended, where there is one. */
interface HttpTransport {
  transport: SdkTransport
  endSession: () => Promise<void>
}

/** Makes the transport of an SDK. */
export type MakeTransport = (
  url: URL,
  options: { requestInit: { headers: Record<string, string> }; fetch: typeof fetch },
) => HttpTransport

/** A Streamable HTTP endpoint whose every request is answered. */
export function reachEndpoint(
  { url, headers }: Extract<ServerTransport, { kind: 'http' }>,
  makeTransport: MakeTransport,
): Link {
  const held = new Map<string | number, Held>()
  const origins = new Map<string | number, string>()
  const { transport, endSession } = makeTransport(new URL(url), {
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
    said: () => '',
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
      const late = new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref())
      await Promise.race([endSession().catch(() => undefined), late])
    },
    abandon: async () => await transport.close(),
  }
}
