import type { JsonObject } from '@toolblocks/protocol'
import type { ConnectionListener } from '../connection/connection.ts'

/** What a host is called and can do. */
interface ClientFace {
  name: string
  version: string
  capabilities: JsonObject
}

/** What is said with the hello, and who listens from then on. */
export interface Hello {
  face: ClientFace
  listener: ConnectionListener
  signal: AbortSignal
}
