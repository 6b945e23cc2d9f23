import type { StartProgram, Telemetry } from '@toolblocks/protocol'
import { describeValue, getErrorText } from '@toolblocks/protocol/internal'
import type { AskingServer } from './client/answer-server.ts'
import type { Connection } from './client/keep-connection.ts'
import { McpServerError } from './client/failures.ts'
import { openStateless } from './client/open-stateless.ts'
import { type NewConnection, whileConnecting } from './client/initialize.ts'
import {
  type CreateTransport,
  isMessageTransport,
  type ServerConfig,
} from './client/server-config.ts'
import { createHttpSession } from './client/http-session.ts'
import { openSession } from './client/open-session.ts'
import { type HttpAccess, type HttpProtocol, wireToEndpoint } from './wire/http.ts'
import type { HttpFetch } from './wire/http-fetch.ts'
import { maskMessage } from './wire/known-secrets.ts'
import { tracePeer, type TracedPlace } from './wire/trace-peer.ts'
import type { PeerListener, Wire } from './wire/peer.ts'
import { wireToProgram } from './wire/program.ts'
import { requestHeaders } from './wire/request-headers.ts'
import { isUsed, type MessageTransport, wireOverTransport } from './wire/transport.ts'

/**
 * Milliseconds in which a server must answer the first request of MCP 2026-07-28 if an older version can be tried: many older servers do not answer
 * it.
 */
const PROBE_MS = 5000

/** The values that opening a connection needs. */
export interface ConnectionRequest {
  asking: AskingServer
  listener: Omit<PeerListener, 'onRequest'>
  onStrayLine: (line: string) => void
  signal: AbortSignal
  startProgram: StartProgram | undefined
  fetch: HttpFetch | undefined
  telemetry: Telemetry | undefined
  /** Creates the transport of a server with `kind: 'transport'`, once for each connection. */
  createTransport: () => Promise<MessageTransport>
}

/** Opens a connection to a server as configured; the only function that chooses the protocol version. Rejects with a `McpServerError`. */
export async function openConnection(
  config: ServerConfig,
  opening: ConnectionRequest,
): Promise<Connection> {
  const { protocolVersion = '2025-11-25' } = config
  const { signal } = opening
  switch (protocolVersion) {
    case '2025-11-25':
      try {
        return await connectWithSession(config, opening)
      } catch (error) {
        if (signal.aborted || !isOfOtherVersion(error)) throw error
        return await connectStateless(config, opening)
      }
    case '2026-07-28':
      return await connectStateless(config, opening)
    case 'auto':
      try {
        const probe = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)])
        return await connectStateless(config, { ...opening, signal: probe })
      } catch (error) {
        if (signal.aborted || isFinal(error)) throw error
        // Started again: older servers may end after an unknown first request.
        return await connectWithSession(config, opening)
      }
  }
}

async function connectWithSession(
  config: ServerConfig,
  opening: ConnectionRequest,
): Promise<Connection> {
  const session = createHttpSession()
  return await open(
    config,
    opening,
    session,
    async (connection, access) => await openSession(connection, access && { session, access }),
  )
}

async function connectStateless(
  config: ServerConfig,
  opening: ConnectionRequest,
): Promise<Connection> {
  const protocol: HttpProtocol = { getHeaders: requestHeaders, endsToCancel: true }
  return await open(config, opening, protocol, openStateless)
}

/** Creates a wire for one connection and initializes it in one protocol version. */
async function open(
  { name: server, transport }: ServerConfig,
  { onStrayLine, startProgram, fetch, telemetry, createTransport, ...opening }: ConnectionRequest,
  protocol: HttpProtocol,
  speak: (connection: NewConnection, access?: HttpAccess) => Promise<Connection>,
): Promise<Connection> {
  const trace = (traced: Omit<TracedPlace, 'side'>): NewConnection['listener'] => ({
    ...opening.listener,
    traces: telemetry && tracePeer(telemetry, { side: 'client', ...traced }),
  })
  const connection = { ...opening, server }
  switch (transport.kind) {
    case 'stdio': {
      if (!startProgram) throw noStarter(server)
      const wire = wireToProgram(transport, { startProgram, onStrayLine })
      const listener = trace({ transport: 'pipe' })
      const { serverText } = wire
      return await orAbandon(wire, speak({ ...connection, listener, wire, serverText }))
    }
    case 'http': {
      const { url } = transport
      if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw noAddress(server, url)
      const wire = wireToEndpoint({ ...transport, fetch }, protocol)
      const listener = trace(placeOverHttp(url, protocol))
      return await orAbandon(wire, speak({ ...connection, listener, wire }, wire))
    }
    case 'transport': {
      const { signal } = opening
      const creating = createTransport()
      const created = await whileConnecting(creating, { server, signal }).catch((error) => {
        // A transport that is created later has no user.
        void creating.then((late) => late.close()).catch(() => undefined)
        throw error
      })
      const wire = wireOverTransport(created, maskMessage)
      return await orAbandon(wire, speak({ ...connection, listener: trace({}), wire }))
    }
  }
}

/** Describes a connection over HTTP for telemetry. */
function placeOverHttp(url: string, { getHeaders }: HttpProtocol): Omit<TracedPlace, 'side'> {
  const { hostname, port, protocol } = new URL(url)
  return {
    transport: 'tcp',
    session: () => getHeaders({})['mcp-session-id'],
    address: { host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) },
  }
}

/**
 * Returns a function that returns the transport of a server, once if it is given as an object.
 *
 * @throws McpServerError if the object has carried a connection, or the function fails.
 */
export function prepareTransport({
  name,
  transport,
}: ServerConfig): () => Promise<MessageTransport> {
  return async () => {
    if (transport.kind !== 'transport') throw noTransport(name, 'it has no transport')
    const { transport: supplied } = transport
    const created = typeof supplied === 'function' ? await createWith(supplied, name) : supplied
    if (isUsed(created))
      throw noTransport(name, 'its transport was used and cannot be started again')
    return created
  }
}

async function createWith(create: CreateTransport, name: string): Promise<MessageTransport> {
  let created: unknown
  try {
    created = await create()
  } catch (cause) {
    const reason = 'its transport could not be created'
    throw noTransport(name, reason, getErrorText(cause))
  }
  if (isMessageTransport(created)) return created
  throw noTransport(name, `its function returned no transport, but ${describeValue(created)}`)
}

function noTransport(name: string, reason: string, serverText?: string): McpServerError {
  return new McpServerError(name, {
    code: 'unreachable',
    reason,
    ...(serverText !== undefined && { serverText }),
    fix: 'Pass a function that creates a transport: { name, transport: { kind: "transport", transport: () => new … } }.',
  })
}

async function orAbandon(wire: Wire, opening: Promise<Connection>): Promise<Connection> {
  try {
    return await opening
  } catch (error) {
    await wire.close({ isAbandoned: true })
    throw error
  }
}

/** The server is unreachable or refuses the credentials: another protocol version would not help. */
function isFinal(error: unknown): boolean {
  return error instanceof McpServerError && ['unreachable', 'unauthorized'].includes(error.code)
}

function isOfOtherVersion(error: unknown): boolean {
  return error instanceof McpServerError && error.code === 'unsupported-version'
}

function noStarter(name: string): McpServerError {
  return new McpServerError(name, {
    code: 'not-started',
    reason: 'it is a program, and connectServer has no startProgram',
    fix: 'Pass it: connectServer(config, hooks, { startProgram }), with startProgram of @toolblocks/local-executor.',
  })
}

function noAddress(name: string, url: string): McpServerError {
  return new McpServerError(name, {
    code: 'unreachable',
    reason: `${JSON.stringify(url)} is not a web address`,
    fix: 'Write "url" as https://host/path, or http://localhost:PORT/path.',
  })
}
