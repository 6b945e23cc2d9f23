import {
  type Gateway,
  shareConnection,
  type SharedConnection,
} from '@toolblocks/mcp-bridge/gateway'
import { type OpenedServer, openServer, type OpenServersOptions } from './open-servers.ts'
import type { WrittenServer } from './written-servers.ts'

/** The connections that the clients of a host share. The first opening of a server decides whether it is shared. */
export interface SharedServers {
  /** Opens a server for a client, or lets the client use the connection that is already open. */
  open(
    written: WrittenServer,
    options: OpenServersOptions,
    gateway: Gateway,
  ): Promise<OpenedForClient>
  /** Closes the connections that are shared. */
  close(): Promise<void>
}

/** A server that was opened for one client. */
export interface OpenedForClient {
  opened: OpenedServer
  /** Removes the client from a connection that others use, too. Absent: the connection is its own, and it closes it. */
  leave?: () => void
}

/** The first connection to a server, which all clients use if the server is shared. */
interface FirstConnection {
  connection: SharedConnection
  opened: Promise<OpenedServer>
  /** Called when the server has changed its list of tools. */
  listeners: Set<() => void>
}

/** The first version of MCP in which each request says which client it is from. */
export const STATELESS_VERSION = '2026-07-28'

/**
 * Creates the connections that clients share, without servers. `signal` ends those that are being opened. `which`: also servers whose version says
 * which client a request is from, or only those with `share = true`.
 */
export function createSharedServers(
  signal: AbortSignal,
  which: 'suitable' | 'chosen' = 'suitable',
): SharedServers {
  const known = new Map<string, FirstConnection>()
  const shared = new Set<OpenedServer>()

  function begin(written: WrittenServer, options: OpenServersOptions): FirstConnection {
    const { name } = written
    const connection = shareConnection(name)
    const listeners = new Set<() => void>()
    const onToolsChanged = (): void => {
      for (const listener of listeners) listener()
    }
    // Its program has no place among those of a client, and does not end with the client that opened it.
    const { admit: _admit, ...rest } = options
    const hooks = (): typeof connection.hooks => ({ ...connection.hooks, onToolsChanged })
    const first = {
      connection,
      listeners,
      opened: openServer(written, { ...rest, signal, hooks }),
    }
    known.set(name, first)
    // With `share = true` the next client tries again. Otherwise only the version of a connected server says whether it is shared.
    const forget = (): void => {
      if (written.own.share === true) known.delete(name)
    }
    first.opened.then(({ ok }) => {
      if (!ok) forget()
    }, forget)
    return first
  }

  return {
    open: async (written, options, gateway) => {
      if (!mayBeShared(written, which)) return { opened: await openServer(written, options) }
      const earlier = known.get(written.name)
      const { connection, listeners, opened } = earlier ?? begin(written, options)
      const server = await opened
      const isShared =
        server.ok &&
        (written.own.share === true || server.server.protocolVersion === STATELESS_VERSION)
      if (earlier && !isShared && written.own.share !== true)
        return { opened: await openServer(written, options) }
      if (!server.ok) return { opened: server }
      if (isShared) shared.add(server)
      const leaveConnection = connection.join(gateway)
      const listener = (): void => options.hooks(written.name).onToolsChanged?.(server.server)
      listeners.add(listener)
      if (!isShared) return { opened: server }
      return {
        opened: server,
        leave: () => {
          listeners.delete(listener)
          leaveConnection()
        },
      }
    },
    close: async () =>
      void (await Promise.all(
        [...shared].map(async (each) => (each.ok ? await each.server.close() : undefined)),
      )),
  }
}

/** Whether a server is shared, or may be, depending on the version that it speaks. */
function mayBeShared({ own, table }: WrittenServer, which: 'suitable' | 'chosen'): boolean {
  const { url, protocol_version: version = '2025-11-25' } = table
  return own.share ?? (which === 'suitable' && url !== undefined && version !== '2025-11-25')
}
