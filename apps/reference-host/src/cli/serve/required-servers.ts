import type { McpServer } from '@toolblocks/mcp-bridge'

/** The connections of the service itself. */
interface OwnServers {
  /** Those that were opened. */
  servers: readonly Pick<McpServer, 'name' | 'state' | 'request'>[]
  /** Tries those that have failed again, after growing pauses. */
  retry(): Promise<boolean>
}

/** Milliseconds between two requests to a required server that only ask whether it is there. */
const ASK_MS = 5000
/** Milliseconds that such a request may take. A busy server is no lost one. */
const ANSWER_MS = 2000

/**
 * Creates the check whether the required servers are connected. Each check tries those that are not again, because a load balancer sends a process that is not ready no requests
 * that would.
 */
export function watchRequiredServers(
  required: readonly string[],
  own: OwnServers,
): () => Promise<string | undefined> {
  const askedAt = new Map<string, number>()

  async function isConnected(name: string): Promise<boolean> {
    const server = own.servers.find((each) => each.name === name)
    if (!server) return false
    if (performance.now() - (askedAt.get(name) ?? -Infinity) >= ASK_MS) {
      askedAt.set(name, performance.now())
      // An error is an answer, too. A lost connection is opened again.
      await server.request('ping', {}, { signal: AbortSignal.timeout(ANSWER_MS) })
    }
    return server.state.kind === 'connected'
  }

  return async () => {
    const connected = await Promise.all(required.map(isConnected))
    if (!connected.includes(false)) return undefined
    void own.retry().catch(() => undefined)
    // Anybody may read it, so it contains no name.
    return 'a required server is not connected'
  }
}
