import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  isInitializeRequest,
  type RequestId,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import {
  field,
  isJsonObject,
  MAX_CONNECTIONS,
  MAX_JSON_DEPTH,
  MAX_JSON_NODES,
  MAX_REQUEST_BYTES,
  MAX_REQUEST_MS,
  MAX_SESSIONS,
} from '@toolblocks/protocol'
import { boundService } from '../bound-service.ts'
import { admit, checkRequest } from './check-request.ts'
import { closeSessions } from './close-sessions.ts'
import {
  isModernMessage,
  isModernVersion,
  type ModernSession,
  openModern,
  unsupportedVersion,
} from '../modern/load-modern.ts'
import type { ModernEndpoint } from '../modern/modern-http.ts'
import { KEY_BYTES } from '../modern/sealed-state.ts'
import { readRequestBody } from './read-request-body.ts'
import { cannotListen, wrongKey } from '../serve-error.ts'
import { type LegacySession, serveSession } from '../serve-session.ts'
import type { Served, ToolService } from '../tool-service.ts'
import { duplicateId, INVALID_REQUEST, SERVER_ERROR } from '../../wire/message.ts'

/** How a service is served over HTTP. */
export interface HttpOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** The address to listen at. Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string
  /**
   * What every client sends as `Authorization: Bearer`, also on this machine, where programs of other users run. Default: 256 new bits, which
   * `ServedHttp` gives.
   */
  readonly token?: string
  /** Further names under which clients reach this server: `host` (at this port), `host:port`, or `https://host:port` of a proxy. */
  readonly allowedHosts?: readonly string[]
  /** Bytes of one request. Default: 4 MiB. */
  readonly maxBodyBytes?: number
  /** Clients at a time; a further one ends the one that came first. Default: 100. */
  readonly maxSessions?: number
  /**
   * 32 bytes that seal what goes to clients between two questions of a call (MCP 2026-07-28). Default: new ones, so that a call cannot go on
   * in another process.
   */
  readonly stateKey?: Uint8Array
}

/** A service that is being served over HTTP. */
export interface ServedHttp extends Served {
  /** Where, for example `http://127.0.0.1:8080/mcp`. */
  readonly url: string
  /** What clients send as `Authorization: Bearer`. */
  readonly token: string
}

const PATH = '/mcp'
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

interface HttpSession {
  transport: StreamableHTTPServerTransport
  session: LegacySession
  /** The ids of requests that have no whole answer yet. */
  open: Set<RequestId>
}

/** Serves over Streamable HTTP, at `/mcp`. Throws a `ServeError` for a `stateKey` of another length, and where the address cannot be listened at. */
export async function serveHttp(served: ToolService, options: HttpOptions): Promise<ServedHttp> {
  const service = boundService(served)
  const {
    port,
    host = '127.0.0.1',
    token = randomBytes(32).toString('hex'),
    allowedHosts = [],
    maxBodyBytes = MAX_REQUEST_BYTES,
    maxSessions = MAX_SESSIONS,
    stateKey,
  } = options
  if (stateKey && stateKey.length !== KEY_BYTES) throw wrongKey(stateKey.length, KEY_BYTES)
  const sessions = new Map<string, HttpSession>()
  let modern: Promise<ModernSession<ModernEndpoint> | undefined> | undefined
  const server = createServer(
    { requestTimeout: MAX_REQUEST_MS, headersTimeout: MAX_REQUEST_MS },
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(host, port, error)
  }
  const bound = portOf(server)
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const admission = admit([...LOOPBACK, own, ...allowedHosts], { port: bound, token })
  let isClosing = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = checkRequest(request, admission)
    if (refusal) return refuse(response, refusal.status, refusal.message)
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== PATH)
      return refuse(response, 404, `Only ${PATH} is served.`)
    if (isClosing) return refuse(response, 503, 'This server is closing.')
    const read =
      request.method === 'POST'
        ? await readRequestBody(request, { bytes: maxBodyBytes, ms: MAX_REQUEST_MS })
        : { kind: 'none' as const }
    switch (read.kind) {
      case 'too-large':
        return refuse(response, 413, `A request may have ${maxBodyBytes} bytes.`)
      case 'too-slow':
        return refuse(response, 408, `A request may take ${MAX_REQUEST_MS / 1000} s.`)
      case 'too-deep':
        return refuse(
          response,
          400,
          `A request may have ${MAX_JSON_DEPTH} levels and ${MAX_JSON_NODES} values.`,
        )
      case 'no-json':
        return refuse(response, 400, 'Expected JSON.')
      case 'none':
      case 'json': {
        const body = read.kind === 'json' ? read.body : undefined
        const { 'mcp-session-id': id, 'mcp-protocol-version': version } = request.headers
        if (isModernMessage(body) || isModernVersion(version))
          return await answerModern(request, response, body)
        const known = typeof id === 'string' ? sessions.get(id) : undefined
        if (!known && id !== undefined) return refuse(response, 404, 'Session not found')
        if (!known && !isInitializeRequest(body))
          return refuse(
            response,
            400,
            'Say "initialize" first, and send the Mcp-Session-Id that comes back.',
          )
        const { transport, session, open } = known ?? (await openSession())
        if (response.destroyed) return
        const ids = requestIds(body)
        const taken = ids.find((each, index) => open.has(each) || ids.indexOf(each) !== index)
        // The SDK would send the answer to the earlier request to the later one.
        if (taken !== undefined) return refuse(response, 400, duplicateId(taken), INVALID_REQUEST)
        for (const each of ids) open.add(each)
        // There is no second way to an answer: without a store of events, a client cannot come back for the rest of a stream.
        response.once('close', () => {
          if (!response.writableFinished) session.abandon(ids)
          for (const each of ids) open.delete(each)
        })
        await transport.handleRequest(request, response, body)
      }
    }
  }

  async function answerModern(
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    modern ??= openModern(service, stateKey, async (shared) => {
      const { openModernEndpoint } = await import('../modern/modern-http.ts')
      return openModernEndpoint(shared)
    })
    const session = await modern
    if (session) return await session.serving.answer(request, response, body)
    const refusal = unsupportedVersion(body, SUPPORTED_PROTOCOL_VERSIONS)
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
  }

  async function openSession(): Promise<HttpSession> {
    let id: string | undefined
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (given) => {
        id = given
        sessions.set(given, opened)
        const [oldest] = sessions.values()
        if (sessions.size > maxSessions) void oldest?.session.close()
      },
    })
    const session = await serveSession(service, transport, () => {
      if (id !== undefined) sessions.delete(id)
    })
    const opened: HttpSession = { transport, session, open: new Set() }
    return opened
  }

  const closed = once(server, 'close').then(() => undefined)
  return {
    url: `http://${own}:${bound}${PATH}`,
    token,
    closed,
    close: async (closing) => {
      isClosing = true
      server.close()
      const legacy = [...sessions.values()].map(({ session }) => session)
      const other = await modern
      await closeSessions([...legacy, ...(other ? [other] : [])], closing)
      server.closeAllConnections()
      await closed
    },
  }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The ids of the requests in a body, which is a message or, from older clients, a list of them. */
function requestIds(body: unknown): readonly RequestId[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  return messages.flatMap((message) => {
    if (!isJsonObject(message) || !Object.hasOwn(message, 'method')) return []
    const id = field(message, 'id')
    return typeof id === 'string' || typeof id === 'number' ? [id] : []
  })
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: number = SERVER_ERROR,
): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
