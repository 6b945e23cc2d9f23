import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { SdkTransport } from '../connection/link.ts'
import type { MakeTransport } from './reach-endpoint.ts'

/** The transport of the modern era: no sessions, and headers that say what a request is. */
export const makeModernTransport: MakeTransport = (url, options) => ({
  // The two SDKs name the same members of a transport with types of their own.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  transport: new StreamableHTTPClientTransport(url, options) as unknown as SdkTransport,
  endSession: async () => undefined,
})
