import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  requireArguments,
  MAX_CONNECTIONS,
  MAX_REQUEST_BYTES,
  MAX_REQUEST_HEAD_MS,
  MAX_REQUEST_MS,
  getErrorText,
} from '@toolblocks/protocol/internal'
import { isJsonObject } from '@toolblocks/protocol'
import { serveSessions } from './server/serve-sessions.ts'
import type { SessionLimits } from './server/session-limits.ts'
import { admit, checkRequest, readRequestBody } from './server/check-request.ts'
import type { QueueLimits } from './server/fair-queue.ts'
import {
  answerStatelessRequest,
  isStatelessVersion,
  refuse,
  refuseBusy,
} from './server/stateless-http.ts'
import { digest, type StateOptions } from './server/sealed-state.ts'
import { ServeError } from './server/serve-error.ts'
import { isStatelessRequest, serveStateless } from './server/serve-stateless.ts'
import { watchConnections } from './server/watch-connections.ts'
import { queueCalls, type RunningService, type ToolService } from './server/tool-service.ts'

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
  /** Additional names of this server for clients: `host` (at this port), `host:port`, or `https://host:port` of a proxy. */
  readonly allowedHosts?: readonly string[]
  /** The maximum size of one request in bytes. Default: 4 MiB. */
  readonly maxBodyBytes?: number
  /** The maximum number of connections; above it, requests are refused with the status 503. Default: 4096. */
  readonly maxConnections?: number
  /** Returns the text of the page `/metrics` as Prometheus reads it; the page needs the same token. Default: there is no such page. */
  readonly metrics?: () => Promise<string>
}

/** A running service over HTTP. */
export interface RunningHttpService extends RunningService {
  /** The address, for example `http://127.0.0.1:8080/mcp`. */
  readonly url: string
  /** The token that clients send as `Authorization: Bearer`. */
  readonly token: string
}

const PATH = '/mcp'

const METRICS_PATH = '/metrics'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Serves over Streamable HTTP, at `/mcp`. Throws a `ServeError` if `stateKey` has another length or the address cannot be used. */
export async function serveHttp(
  served: ToolService,
  options: HttpOptions,
): Promise<RunningHttpService> {
  requireArguments('serveHttp(served, options)', [served, 'object'], [options, 'object'])
  const service = queueCalls(served, options)
  const {
    port,
    host = '127.0.0.1',
    token = randomBytes(32).toString('hex'),
    allowedHosts = [],
    maxBodyBytes = MAX_REQUEST_BYTES,
    maxConnections = MAX_CONNECTIONS,
    metrics,
  } = options
  const sessions = serveSessions(service, options)
  const stateless = serveStateless(service, options)
  const server = createServer(
    {
      requestTimeout: MAX_REQUEST_MS,
      headersTimeout: MAX_REQUEST_MS,
      keepAliveTimeoutBuffer: LATE_REQUEST_MS,
    },
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  const connections = watchConnections(server, {
    most: maxConnections,
    headMs: MAX_REQUEST_HEAD_MS,
  })
  // So many clients can connect while this process is busy.
  server.listen({ port, host, backlog: MAX_CONNECTIONS })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw cannotListen(host, port, error)
  }
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : 0
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const admission = admit([...LOOPBACK, own, ...allowedHosts], { port: bound, token })
  let isClosing = false

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A connection above the limit, or without a token, holds nothing after its answer.
    const isTooMany = connections.isAbove(request.socket)
    const refusal = checkRequest(request, admission)
    if (isTooMany || refusal) response.shouldKeepAlive = false
    if (refusal) return refuse(response, refusal.status, refusal.message)
    if (isTooMany) return refuseBusy(response, 'Too many connections')
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (metrics && pathname === METRICS_PATH) return await answerMetrics(request, response, metrics)
    if (pathname !== PATH) return refuse(response, 404, `Only ${PATH} is served.`)
    if (isClosing) return refuse(response, 503, 'This server is closing.')
    const read =
      request.method === 'POST'
        ? await readRequestBody(request, { bytes: maxBodyBytes, ms: MAX_REQUEST_MS })
        : { body: undefined }
    if ('status' in read) {
      // Nothing reads the rest of a body that is refused.
      if (!request.complete) response.shouldKeepAlive = false
      return refuse(response, read.status, read.message)
    }
    const { body } = read
    const identity = digest(request.headers.authorization ?? '')
    const exchange = { request, response, body, identity }
    const { 'mcp-protocol-version': version } = request.headers
    return isStatelessVersion(version) || (isJsonObject(body) && isStatelessRequest(body['params']))
      ? await answerStatelessRequest({ service, stateless }, exchange)
      : await sessions.answer(exchange)
  }

  const closed = once(server, 'close').then(() => undefined)
  return {
    url: `http://${own}:${bound}${PATH}`,
    token,
    closed,
    close: async (closing) => {
      isClosing = true
      server.close()
      stateless.drop()
      await service.finish(closing)
      await stateless.close()
      await sessions.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answerMetrics(
  { method }: IncomingMessage,
  response: ServerResponse,
  metrics: () => Promise<string>,
): Promise<void> {
  if (method !== 'GET') return refuse(response, 405, 'Only GET is served.')
  const text = await metrics()
  response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
}

/**
 * Milliseconds that a connection without a request stays open after the time that its client was told. A client may use it at the last moment, and a busy process reads that
 * late.
 */
const LATE_REQUEST_MS = 30_000

/** Creates the error for an address that cannot be used, from the error of the operating system. */
function cannotListen(host: string, port: number, cause: unknown): ServeError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return new ServeError('cannot-listen', explainListen(`port ${port} of ${host}`, code, cause), {
    cause,
  })
}

function explainListen(address: string, code: unknown, cause: unknown): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${address} is in use by another program; use another port, or 0 for a free one`
    case 'EACCES':
      return `${address} may not be used by this user; use a port from 1024, or 0 for a free one`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${address} cannot be used: this machine has no such address`
    default:
      return `${address} cannot be used: ${getErrorText(cause)}`
  }
}
