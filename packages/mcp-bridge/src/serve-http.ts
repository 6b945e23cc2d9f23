import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isJsonObject } from '@toolblocks/protocol/json'
import {
  MAX_CONNECTIONS,
  MAX_REQUEST_BYTES,
  MAX_REQUEST_MS,
  MAX_SESSIONS,
} from '@toolblocks/protocol/limits'
import { serveSessions } from './legacy/serve-sessions.ts'
import { admit, checkRequest, readRequestBody } from './serve/check-request.ts'
import { answerModernRequest, isModernVersion, refuse } from './serve/modern-http.ts'
import { KEY_BYTES } from './serve/sealed-state.ts'
import { isModern, serveModern } from './serve/serve-modern.ts'
import { boundService, type RunningService, type ToolService } from './serve/tool-service.ts'

/** How a service is served over HTTP. */
export interface HttpOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** The address to listen at. Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string
  /**
   * What every client sends as `Authorization: Bearer`, also on this machine, where programs of other users run. Default: 256 new bits, which
   * `RunningHttpService` gives.
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
export interface RunningHttpService extends RunningService {
  /** Where, for example `http://127.0.0.1:8080/mcp`. */
  readonly url: string
  /** What clients send as `Authorization: Bearer`. */
  readonly token: string
}

const PATH = '/mcp'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Serves over Streamable HTTP, at `/mcp`. Throws a `ServeError` for a `stateKey` of another length, and where the address cannot be listened at. */
export async function serveHttp(
  served: ToolService,
  options: HttpOptions,
): Promise<RunningHttpService> {
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
  const sessions = serveSessions(service, maxSessions)
  const modern = serveModern(service, stateKey)
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
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : 0
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
        : { body: undefined }
    if ('status' in read) return refuse(response, read.status, read.message)
    const { body } = read
    const exchange = { request, response, body }
    const { 'mcp-protocol-version': version } = request.headers
    return isModernVersion(version) || (isJsonObject(body) && isModern(body['params']))
      ? await answerModernRequest({ service, modern }, exchange)
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
      await service.idle(closing)
      await modern.close()
      await sessions.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Why a service is not served. */
export type ServeErrorCode =
  /** The key that seals states has the wrong length. */
  | 'wrong-state-key'
  /** The address cannot be listened at; `cause` is what the operating system answered. */
  | 'cannot-listen'

/** Thrown when a service shall be served as it must not be. */
export class ServeError extends Error {
  readonly code: ServeErrorCode

  constructor(code: ServeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ServeError'
    this.code = code
  }
}

function wrongKey(got: number, expected: number): ServeError {
  return new ServeError(
    'wrong-state-key',
    `"stateKey": expected ${expected} bytes, got ${got}; randomBytes(${expected}) of node:crypto makes some.`,
  )
}

/** Why nobody can listen at an address, by what the operating system answered. */
function cannotListen(host: string, port: number, cause: unknown): ServeError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return new ServeError('cannot-listen', explainListen(`port ${port} of ${host}`, code, cause), {
    cause,
  })
}

function explainListen(place: string, code: unknown, cause: unknown): string {
  switch (code) {
    case 'EADDRINUSE':
      return `${place} is in use by another program; name another port, or 0 for one that is free`
    case 'EACCES':
      return `${place} may not be used by this user; name a port from 1024, or 0 for one that is free`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${place} cannot be used: this machine has no such address`
    default:
      return `${place} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}
