import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { MakeTransport } from './reach-endpoint.ts'

/** The transport of the legacy era: sessions, and streams that are taken up again. */
export const makeLegacyTransport: MakeTransport = (url, options) => {
  const transport = new StreamableHTTPClientTransport(url, options)
  return {
    transport,
    endSession: async () => {
      if (transport.sessionId !== undefined) await transport.terminateSession()
    },
  }
}
