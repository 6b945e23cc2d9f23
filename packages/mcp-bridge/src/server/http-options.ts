import type { JsonObject } from '@toolblocks/protocol'
import type { Authenticate, ClientIdentity } from '../identity/client-identity.ts'
import type { QueueLimits } from './fair-queue.ts'
import type { ReplicaOptions } from './replica-options.ts'
import type { StateOptions } from './sealed-state.ts'
import type { SessionLimits } from './session-limits.ts'

/** Answers requests for pages beside `/mcp`. `undefined`: there is no such page. */
export type AnswerPage = (request: Request) => Promise<Response | undefined>

/** Options of a service over HTTP. */
export interface HttpOptions extends StateOptions, SessionLimits, QueueLimits {
  /** 0 selects a free port. */
  readonly port: number
  /** The address to listen at. Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string
  /**
   * The token that every client sends as `Authorization: Bearer`, even on this machine, where other users run programs. Default: 256 random bits,
   * in `RunningHttpService`.
   */
  readonly token?: string
  /** Checks who the client of a request is, in place of `token`. Sessions, tasks and results belong to the `id` of its identity, whichever credentials prove it. */
  readonly authenticate?: Authenticate
  /** What clients read to log in (RFC 9728), without credentials, at `/.well-known/oauth-protected-resource` and below it at `/mcp`. Default: there is no such page. */
  readonly resourceMetadata?: JsonObject
  /**
   * Answers requests for pages at other paths than `/mcp`, `/metrics` and those above; the pages check themselves who may read them. Requests with a foreign `Host` or `Origin` are
   * refused before. Default: there are no pages.
   */
  readonly pages?: AnswerPage
  /** Additional names of this server for clients: `host` (at this port), `host:port`, or `https://host:port` of a proxy. */
  readonly allowedHosts?: readonly string[]
  /**
   * The IP addresses and networks (CIDR) of proxies. Only what comes from them may name the address of a client, with `X-Forwarded-For` or `Forwarded`. Default: none, and these headers
   * decide nothing.
   */
  readonly trustedProxies?: readonly string[]
  /** The maximum size of one request in bytes. Default: 4 MiB. */
  readonly maxBodyBytes?: number
  /** The maximum number of connections; above it, requests are refused with the status 503. Default: 4096. */
  readonly maxConnections?: number
  /**
   * Other processes that serve the same: each answers the requests of every session, and continues those of one that has ended. Clients can continue
   * streams that were cut. They need the same tools and the same `stateKey`. Default: sessions end with this process.
   */
  readonly replicas?: Omit<ReplicaOptions, 'address'> & Partial<Pick<ReplicaOptions, 'address'>>
  /** Why `/readyz` answers with 503, besides that the server is closing; `undefined`: nothing is missing. Default: nothing is checked. */
  readonly findMissing?: () => Promise<string | undefined>
  /**
   * Returns the text of the page `/metrics` as Prometheus reads it, or `undefined` if this client may not read it; the page needs the same credentials. Default: there is no such
   * page.
   */
  readonly metrics?: (client: ClientIdentity | undefined) => Promise<string | undefined>
}
