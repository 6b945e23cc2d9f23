import type { JsonObject } from '@toolblocks/protocol'
import type { Connection, ConnectionListener } from './connection/connection.ts'
import type { ServerHooks } from './mcp-server.ts'
import { McpServerError } from './mcp-server-error.ts'
import type { ServerConfig } from './server-config.ts'

const CLIENT = { name: 'toolblocks', version: '0' }

/** Opens a connection to a server as it is configured. What speaks MCP is loaded when it is first needed. */
export async function openConnection(
  { name, transport }: ServerConfig,
  {
    listener,
    hooks,
    signal,
  }: { listener: ConnectionListener; hooks: ServerHooks; signal: AbortSignal },
): Promise<Connection> {
  const { openLegacy } = await import('./legacy/open-legacy.ts')
  const face = { ...CLIENT, capabilities: capabilitiesOf(hooks) }
  switch (transport.kind) {
    case 'stdio': {
      const { startProgram } = await import('./stdio/start-program.ts')
      return await openLegacy(name, startProgram(transport, listener.onStrayLine), {
        face,
        listener,
        signal,
      })
    }
    case 'http': {
      if (!URL.canParse(transport.url) || !/^https?:$/.test(new URL(transport.url).protocol))
        throw noAddress(name, transport.url)
      const { reachEndpoint } = await import('./http/reach-endpoint.ts')
      return await openLegacy(name, reachEndpoint(transport), { face, listener, signal })
    }
  }
}

/** What is not declared is not asked for. */
function capabilitiesOf({ canAsk = false, listRoots, createMessage }: ServerHooks): JsonObject {
  return {
    ...(canAsk && { elicitation: { form: {}, url: {} } }),
    ...(listRoots && { roots: {} }),
    ...(createMessage && { sampling: {} }),
  }
}

function noAddress(name: string, url: string): McpServerError {
  return new McpServerError(name, {
    code: 'unreachable',
    reason: `${JSON.stringify(url)} is no web address`,
    fix: 'Write "url" as https://host/path, or http://localhost:PORT/path.',
  })
}
