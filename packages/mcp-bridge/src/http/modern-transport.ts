import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { MakeTransport } from './reach-endpoint.ts'

/** The transport of the modern era: no sessions, and headers that say what a request is. */
export const makeModernTransport: MakeTransport = (url, options) => ({
  transport: new StreamableHTTPClientTransport(url, options),
  endSession: async () => undefined,
})
