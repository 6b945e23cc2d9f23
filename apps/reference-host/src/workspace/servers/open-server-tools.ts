import {
  type ConnectOptions,
  createReadResourceTool,
  type McpServer,
  type ServerHooks,
} from '@toolblocks/mcp-bridge'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { Configuration } from '../configuration/configuration.ts'
import { openServers } from './open-servers.ts'
import type { ResolvedTools } from '../tools/resolve-tools.ts'
import { resolveServerTools } from './make-entries.ts'
import type { WrittenServer } from './written-servers.ts'

/** Open servers and their tools, for a host. */
export interface OpenedServerTools extends ResolvedTools {
  servers: readonly McpServer[]
  /** The tool that reads the links of these servers; empty without servers. */
  readers: readonly ToolEntry[]
  /** Returns the tools that the servers offer now. */
  now(): ResolvedTools
  /** Returns how often servers have changed their lists of tools. */
  changes(): number
  /** Closes every connection and stops every program. */
  close(): Promise<void>
}

/** Opens servers that the user has agreed to, and creates their tools. */
export async function openServerTools(
  wanted: readonly WrittenServer[],
  {
    configuration,
    hooks,
    onChange,
    signal,
    admit,
  }: {
    configuration: Configuration
    hooks: (server: string) => ServerHooks
    /** Called when a server has changed its list of tools. */
    onChange?: () => void
    signal: AbortSignal
    /** Called before a program is started; see `ConnectOptions`. */
    admit?: ConnectOptions['admit']
  },
): Promise<OpenedServerTools> {
  let changes = 0
  const opened = await openServers(wanted, {
    root: configuration.root,
    environment: { ...process.env },
    hooks: (server) => ({
      ...hooks(server),
      onToolsChanged: () => {
        changes += 1
        onChange?.()
      },
    }),
    signal,
    ...(admit && { admit }),
  })
  const servers = opened.flatMap((one) => (one.ok ? [one.server] : []))
  return {
    ...resolveServerTools(opened, configuration),
    servers,
    now: () => resolveServerTools(opened, configuration),
    changes: () => changes,
    // No approval is needed: an allowed call has returned the link, and only its own server is asked.
    readers:
      servers.length === 0
        ? []
        : [
            {
              tool: createReadResourceTool(() => servers),
              source: 'mcp',
              policy: 'unattended',
            },
          ],
    close: async () => {
      await Promise.all(servers.map(async (server) => await server.close()))
    },
  }
}
