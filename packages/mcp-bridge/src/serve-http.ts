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
import { isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { serveSessions } from './server/serve-sessions.ts'
import {
  admit,
  checkRequest,
  findOrigin,
  readRequestBody,
  type RequestRefusal,
} from './server/check-request.ts'
import { answerPage } from './server/answer-page.ts'
import { createAddressSearch } from './server/client-address.ts'
import { MISDIRECTED, type Pass, PASSED, PROOF } from './server/pass-to-replica.ts'
import type { ReplicaOptions } from './server/replica-options.ts'
import { type SharedSessions, shareSessions } from './server/share-sessions.ts'
import type { HttpOptions } from './server/http-options.ts'
import {
  answerStatelessRequest,
  type HttpExchange,
  isStatelessVersion,
  refuse,
  refuseBusy,
} from './server/stateless-http.ts'
import { digest } from './server/sealed-state.ts'
import { ServeError } from './server/serve-error.ts'
import {
  findHolder,
  isStatelessRequest,
  readUuid,
  serveStateless,
} from './server/serve-stateless.ts'
import { spreadChanges } from './server/spread-changes.ts'
import { watchConnections } from './server/watch-connections.ts'
import { watchCredentials } from './server/watch-credentials.ts'
import {
  GRACE_MS,
  queueCalls,
  type RunningService,
  type ToolService,
} from './server/tool-service.ts'

/** A running service over HTTP. */
export interface RunningHttpService extends RunningService {
  /** The address, for example `http://127.0.0.1:8080/mcp`. */
  readonly url: string
  /** The token that clients send as `Authorization: Bearer`; empty if there is `authenticate`. */
  readonly token: string
}

const PATH = '/mcp'
const METADATA = new Set([
  '/.well-known/oauth-protected-resource',
  `/.well-known/oauth-protected-resource${PATH}`,
])

const METRICS_PATH = '/metrics'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Serves over Streamable HTTP, at `/mcp`. Throws a `ServeError` if `stateKey` has another length, the address cannot be used, there are both `token` and `authenticate`, or one of `trustedProxies` is not an address. */
export async function serveHttp(
  served: ToolService,
  options: HttpOptions,
): Promise<RunningHttpService> {
  requireArguments('serveHttp(served, options)', [served, 'object'], [options, 'object'])
  const queued = queueCalls(served, options)
  const {
    port,
    host = '127.0.0.1',
    authenticate,
    token = authenticate ? '' : randomBytes(32).toString('base64url'),
    allowedHosts = [],
    maxBodyBytes = MAX_REQUEST_BYTES,
    maxConnections = MAX_CONNECTIONS,
    metrics,
  } = options
  if (authenticate && options.token !== undefined) throw bothChecks()
  const findAddress = createAddressSearch(options.trustedProxies)
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  let isClosing = false
  const server = createServer(
    {
      requestTimeout: MAX_REQUEST_MS,
      headersTimeout: MAX_REQUEST_MS,
      keepAliveTimeoutBuffer: LATE_REQUEST_MS,
    },
    (request, response) =>
      void answer(request, response).catch(() => {
        // Without the store, only the sessions that this process holds continue.
        if (!shared || response.headersSent) response.destroy()
        else refuseBusy(response, 'The store of the sessions fails')
      }),
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
  const listening = server.address()
  const bound = typeof listening === 'object' && listening !== null ? listening.port : 0
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const admission = admit([...LOOPBACK, own, ...allowedHosts], {
    port: bound,
    token: authenticate ? undefined : token,
  })
  const credentials = authenticate && watchCredentials(authenticate)
  const ownAddress = `http://${own}:${bound}`
  const shared = options.replicas && (await share({ address: ownAddress, ...options.replicas }))
  const spread = options.replicas && spreadChanges(queued, options.replicas.documents)
  const service = spread?.service ?? queued
  const sessions = serveSessions(service, options, shared)
  const stateless = serveStateless(service, options, shared)
  start()

  /** Joins the other replicas. Without them, this process cannot serve. */
  async function share(replicas: ReplicaOptions): Promise<SharedSessions> {
    try {
      return await shareSessions(replicas, {
        maxSessionIdleMs: options.maxSessionIdleMs,
        onLost: () => sessions.letGo(),
        onTaken: (id) => sessions.letGo(id),
      })
    } catch (error) {
      server.close()
      server.closeAllConnections()
      throw error
    }
  }

  /** Returns why a request is refused, or who sends it and whether another replica has checked it. */
  async function admitRequest(request: IncomingMessage): Promise<RequestRefusal | Admitted> {
    const { [PASSED]: passed, authorization } = request.headers
    if (shared && typeof passed === 'string') return readPassed(shared.readPass(passed))
    const refusal = checkRequest(request, admission)
    if (refusal) return refusal
    const address = findAddress(request)
    if (!authenticate) return { identity: digest(authorization ?? ''), address, isPassed: false }
    const checked = await authenticate({ authorization }).catch(refuseUnchecked)
    if (!checked.ok) return checked
    const { identity: identified, expires } = checked
    return { identity: digest(identified.id), identified, address, isPassed: false, expires }
  }

  /** A call may begin in several rounds. */
  function createBegin(call: string): (() => Promise<void>) | undefined {
    let begun: Promise<void> | undefined
    return shared && (async () => await (begun ??= shared.beginCall(call)))
  }

  async function reportReady(response: ServerResponse): Promise<void> {
    const missing =
      isClosing || shared?.isLeaving() ? 'closing' : await options.findMissing?.().catch(String)
    response.writeHead(missing === undefined ? 200 : 503, { 'content-type': 'text/plain' })
    response.end(`${missing ?? 'ready'}\n`)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await started
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/healthz') return void response.end('alive\n')
    if (pathname === '/readyz') return await reportReady(response)
    const { resourceMetadata } = options
    if (resourceMetadata && METADATA.has(pathname) && request.method === 'GET') {
      const refusal = checkRequest(request, { ...admission, token: undefined })
      if (refusal) return refuse(response, refusal.status, refusal.message)
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify(resourceMetadata))
    }
    // A connection above the limit, or without a token, holds nothing after its answer.
    const isTooMany = connections.isAbove(request.socket)
    const { pages } = options
    if (pages && pathname !== PATH && pathname !== METRICS_PATH && !isTooMany && !isClosing) {
      const refusal = checkRequest(request, { ...admission, token: undefined })
      if (refusal) return refuse(response, refusal.status, refusal.message)
      const origin = findOrigin(request, admission)
      if (await answerPage(request, response, { pages, origin, maxBodyBytes })) return
    }
    const admitted = await admitRequest(request)
    const isRefused = 'status' in admitted
    if (isTooMany || isRefused || shared?.isLeaving()) response.shouldKeepAlive = false
    if (isRefused) {
      const { status, message, challenge } = admitted
      if (challenge !== undefined) response.setHeader('www-authenticate', challenge)
      return refuse(response, status, message)
    }
    if (admitted.pass) response.setHeader(PROOF, admitted.pass.proof)
    if (isTooMany) return refuseBusy(response, 'Too many connections')
    if (metrics && pathname === METRICS_PATH)
      return answerMetrics(request, response, await metrics(admitted.identified))
    if (pathname !== PATH) return refuse(response, 404, `Only ${PATH} is served.`)
    if (isClosing && !shared) return refuse(response, 503, 'This server is closing.')
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
    const { 'mcp-protocol-version': version, 'mcp-session-id': session } = request.headers
    const { pass, expires, ...from } = admitted
    if (pass && !pass.isFor({ method: request.method, session, body }))
      return refuse(response, 403, `The header ${PASSED} is for another request.`)
    const beginCall = pass?.call === undefined ? undefined : createBegin(pass.call)
    const exchange = { request, response, body, beginCall, ...from }
    const { authorization } = request.headers
    if (authorization !== undefined && from.identified && !from.isPassed) {
      const { identified } = from
      credentials?.add(authorization, {
        response,
        identified,
        expires,
        isStream: isStream(exchange),
      })
    }
    // Any replica can begin a session, and answer what belongs to none.
    const isForAny = session === undefined && !admitted.isPassed
    if (isForAny && shared?.isLeaving() && (await shared.passToOther(exchange))) return
    if (isForAny && isClosing) return refuse(response, 503, 'This server is closing.')
    const holder = session === undefined ? findHolder(body) : undefined
    if (holder !== undefined && (await shared?.passToHolder(holder, exchange))) return
    const task = getTaskId(body)
    const isTask = session === undefined && task !== undefined && !stateless.hasTask(task)
    if (isTask && (await shared?.passTask(task, exchange))) return
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
      const left = leave()
      if (!shared) stop()
      if (shared) stateless.dropWaiting()
      else stateless.drop()
      await Promise.all([queued.finish(closing), shared?.settled(closing?.graceMs ?? GRACE_MS)])
      await left
      stop()
      spread?.close()
      stateless.drop()
      await stateless.close()
      await sessions.close()
      server.closeAllConnections()
      await closed
      await shared?.close().catch(() => undefined)
    },
  }

  /** Gives sessions to other replicas, while those that run a call still answer here. */
  async function leave(): Promise<void> {
    if (!shared) return
    await shared.leave().catch(() => undefined)
    void sessions.leave().catch(() => undefined)
  }

  function stop(): void {
    isClosing = true
    server.close()
  }
}

/** Who sends a request. `pass`: what another replica says of it. */
interface Admitted extends Pick<HttpExchange, 'identity' | 'identified' | 'address' | 'isPassed'> {
  pass?: Extract<Pass, { kind: 'admitted' }>
  /** Milliseconds since 1970, from which its credentials are refused. */
  expires?: number | undefined
}

/** Whether a request opens a stream that only tells of changes. */
function isStream({ request, body }: Pick<HttpExchange, 'request' | 'body'>): boolean {
  if (request.method === 'GET') return true
  return isJsonObject(body) && body['method'] === 'subscriptions/listen'
}

/** Returns the id of the task that a request is about. */
function getTaskId(body: unknown): string | undefined {
  const { method, params }: JsonObject = isJsonObject(body) ? body : {}
  const { taskId, notifications }: JsonObject = isJsonObject(params) ? params : {}
  if (typeof method === 'string' && method.startsWith('tasks/')) return readUuid(taskId)
  // A stream of changes is at one replica: that of its first task.
  const taskIds = isJsonObject(notifications) ? notifications['taskIds'] : undefined
  const isListen = method === 'subscriptions/listen' && Array.isArray(taskIds)
  return isListen ? readUuid(taskIds[0]) : undefined
}

function refuseUnchecked(): RequestRefusal & { ok: false } {
  return { ok: false, status: 503, message: 'The credentials cannot be checked now; try again.' }
}

function bothChecks(): ServeError {
  return new ServeError(
    'token-and-authenticate',
    '"token" and "authenticate" both say who may send requests; set one of them.',
  )
}

function readPassed(pass: Pass): RequestRefusal | Admitted {
  switch (pass.kind) {
    case 'admitted': {
      const { identity, identified, address } = pass
      return { identity, ...(identified && { identified }), address, isPassed: true, pass }
    }
    case 'misdirected':
      return { status: MISDIRECTED, message: 'The request is for a replica that has ended.' }
    case 'refused':
      return { status: 403, message: `The header ${PASSED} is not from a replica of this service.` }
  }
}

function answerMetrics(
  { method }: IncomingMessage,
  response: ServerResponse,
  text: string | undefined,
): void {
  if (text === undefined) return refuse(response, 403, 'This client may not read the metrics.')
  if (method !== 'GET') return refuse(response, 405, 'Only GET is served.')
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
