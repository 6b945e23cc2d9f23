import type { McpServer, ServerHooks } from '@toolblocks/mcp-bridge'
import type { Configuration } from '../configuration/configuration.ts'
import { openServers } from './open-servers.ts'
import { resolveServerTools, type ServerTools } from './resolve-server-tools.ts'
import type { WantedServer } from './wanted-servers.ts'

/** What a host may need of servers that are open. */
export interface OpenedServerTools extends ServerTools {
  servers: readonly McpServer[]
  /** Ends every connection and every program. */
  close(): Promise<void>
}

/** Opens servers, those that nobody named only with permission, and makes their tools. */
export async function openServerTools(
  wanted: readonly WantedServer[],
  {
    configuration,
    hooks,
    mayStart,
    signal,
  }: {
    configuration: Configuration
    hooks: ServerHooks
    /** Asked for all of them at once. */
    mayStart: () => Promise<boolean>
    signal: AbortSignal
  },
): Promise<OpenedServerTools> {
  const named = new Set(wanted.filter(({ isNamed }) => isNamed).map(({ written }) => written))
  const opened = await openServers(
    wanted.map(({ written }) => written),
    {
      root: configuration.root,
      environment: { ...process.env },
      hooks,
      mayStart: async (server) => named.has(server) || (await mayStart()),
      signal,
    },
  )
  const servers = opened.flatMap((one) => (one.ok ? [one.server] : []))
  return {
    ...resolveServerTools(opened, configuration),
    servers,
    close: async () => {
      await Promise.all(servers.map(async (server) => await server.close()))
    },
  }
}
