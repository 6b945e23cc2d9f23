import type { McpServer } from '@toolblocks/mcp-bridge'

/** The connections of the service itself. */
interface OwnServers {
  /** Those that were opened. */
  servers: readonly Pick<McpServer, 'name' | 'state' | 'request'>[]
  /** Tries those that have failed again, after growing pauses. */
  retry(): Promise<boolean>
  /** Ends the connections, except to these servers, until their next use. */
  rest(except: readonly string[]): Promise<void>
}

/** Milliseconds between two requests to a required server that only ask whether it is there. */
const ASK_MS = 5000
/** Milliseconds that such a request may take. A busy server is no lost one. */
const ANSWER_MS = 2000

/** Watches the servers that the configuration requires. `findMissing` is absent if there are none. */
export function watchRequiredServers(
  written: readonly { name: string; own: { required?: boolean | undefined } }[],
  own: OwnServers,
): { rest: () => Promise<void>; findMissing?: () => Promise<string | undefined> } {
  const required = written.flatMap((server) => (server.own.required ? server.name : []))
  return {
    // Their connections stay open, or nothing would notice that a server has ended.
    rest: async () => await own.rest(required),
    ...(required.length > 0 && { findMissing: createCheck(required, own) }),
  }
}

/**
 * Creates the check whether the required servers are connected. Each check tries those that are not again, because a load balancer sends a process that is not ready no requests
 * that would.
 */
function createCheck(
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
