import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { MAX_SESSION_IDLE_MS, MAX_SESSIONS } from '@toolblocks/protocol/internal'
import { hasSameGroups } from '../identity/client-identity.ts'
import { isJson, type RequestRefusal } from './check-request.ts'
import { EVENTS } from './event-stream.ts'
import { type HttpExchange, refuse, refuseBusy } from './stateless-http.ts'
import type { ToolService } from './tool-service.ts'
import { duplicateId, INVALID_REQUEST, PARSE_ERROR, readMessages } from '../wire/message.ts'
import { openPeer, type Peer } from '../wire/peer.ts'
import type { HeldSession, SessionRecord } from './session-records.ts'
import type { SharedSessions } from './share-sessions.ts'
import { tracePeer } from '../wire/trace-peer.ts'
import { serveSession } from './serve-session.ts'
import { getIds, type SessionWire, wireOverSession } from './session-wire.ts'
import type { SessionLimits } from './session-limits.ts'
import { SESSION_VERSIONS } from '../wire/versions.ts'

/** Clients of MCP up to 2025-11-25 over HTTP, each with a session. */
export interface Sessions {
  answer(exchange: HttpExchange): Promise<void>
  /** Gives sessions that no request uses to other replicas from now on. Settles when none is left. */
  leave(): Promise<void>
  /** Gives all sessions to other replicas: they may hold them already. What runs can still be answered. */
  letGo(id?: string): void
  close(): Promise<void>
}

interface Session {
  id: string
  /** The session for other replicas; absent without any. */
  held: HeldSession | undefined
  wire: SessionWire
  peer: Peer
  /** Settles when none of its tasks runs. */
  tasksSettled: () => Promise<void>
  /** Who opened it. Nobody else reaches it. */
  identity: string
  /** As its last request has proved it. */
  identified: HttpExchange['identified']
  /** Where its last request came from. */
  address: HttpExchange['address']
  /** What marks the beginning of the calls that another replica has passed on, by the ids of their requests. */
  begins: Map<unknown, () => Promise<void>>
  /** Forgets the session. Started again by each request, and again while one is open. */
  timer: NodeJS.Timeout
}

/** The maximum number of messages in one body. */
const MAX_MESSAGES = 100

/** The version from which clients understand an event without a message. */
const PRIMED_VERSION = '2025-11-25'

/** Serves clients with sessions. No session ends because another client arrives. `shared`: the sessions of all replicas; absent: this process has its own alone. */
export function serveSessions(
  service: ToolService,
  { maxSessions = MAX_SESSIONS, maxSessionIdleMs = MAX_SESSION_IDLE_MS }: SessionLimits = {},
  shared?: SharedSessions,
): Sessions {
  const sessions = new Map<string, Session>()

  function openSession(
    { identity, identified, address }: Pick<HttpExchange, 'identity' | 'identified' | 'address'>,
    { id, client, held }: { id: string; client?: string; held?: HeldSession },
  ): Session & { restore: (record: SessionRecord) => Promise<void> } {
    const wire = wireOverSession(id, shared?.keepStreams(id))
    const served = serveSession(service, {
      identity,
      identified: () => session.identified,
      address: () => session.address,
      isConnected: () => !wire.isIdle(),
      findBegin: (request) => session.begins.get(request),
      ...(client !== undefined && { id: client }),
      records: shared?.tasks,
      // The session continues here in any case.
      onChange: async (change) => await session.held?.save(change).catch(() => undefined),
    })
    const { telemetry } = service
    const peer: Peer = openPeer(wire, {
      traces:
        telemetry &&
        tracePeer(telemetry, {
          side: 'server',
          transport: 'tcp',
          session: () => id,
          client: () => session,
        }),
      onNotification: served.onNotification,
      onRequest: async (request) => {
        try {
          return await served.answer(request, peer)
        } finally {
          session.begins.delete(request.id)
        }
      },
    })
    const forget = (): void => {
      if (wire.isIdle()) void peer.close()
      else timer.refresh()
    }
    const timer = setTimeout(forget, maxSessionIdleMs).unref()
    const tasksSettled = served.settled
    const session: Session = {
      id,
      held,
      wire,
      peer,
      tasksSettled,
      identity,
      identified,
      address,
      begins: new Map(),
      timer,
    }
    sessions.set(id, session)
    void peer.ended.then(() => {
      clearTimeout(timer)
      if (sessions.get(id) !== session) return
      sessions.delete(id)
      void session.held?.remove().catch(() => undefined)
    })
    return Object.assign(session, {
      restore: async (record: SessionRecord) => await served.restore(record, peer),
    })
  }

  /** Opens a session, and writes it for other replicas before its client knows of it. */
  async function begin(exchange: HttpExchange): Promise<Session> {
    const { identity, identified, body } = exchange
    const id = randomUUID()
    const client = randomUUID()
    const [first] = getList(body).filter(isInitializeRequest)
    const { params } = first ?? {}
    const initialize = isJsonObject(params) ? params : {}
    const held = await shared?.create(id, {
      identity,
      ...(identified && { identified }),
      client,
      initialize,
      subscriptions: [],
    })
    return openSession(exchange, { id, client, ...(held && { held }) })
  }

  function find(
    id: unknown,
    { identity, identified, address }: Pick<HttpExchange, 'identity' | 'identified' | 'address'>,
  ): Session | undefined {
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (session?.identity !== identity) return undefined
    if (!hasSameGroups(session.identified, identified)) return undefined
    session.identified = identified
    session.address = address
    return session
  }

  /** Returns the session of a request; `undefined` if the request was answered. `unknown`: there is no such session. */
  async function locate(
    id: string,
    exchange: HttpExchange,
  ): Promise<Session | 'unknown' | undefined> {
    const known = find(id, exchange)
    if (!shared) return known ?? 'unknown'
    if (known) await shared.confirm()
    const own = find(id, exchange)
    if (own) return own
    // Somebody else's.
    if (sessions.has(id)) return 'unknown'
    const route = await shared.route(id, exchange, {
      find: () => find(id, exchange),
      open: async (held, record) => {
        const { client } = record
        const session = openSession(exchange, { id, client, held })
        await session.restore(record)
        return session
      },
    })
    switch (route.kind) {
      case 'here':
        return route.session
      case 'unknown':
        return 'unknown'
      case 'answered':
        return undefined
    }
  }

  /** Lets another replica continue a session as soon as no request uses it. */
  async function giveAway(session: Session): Promise<void> {
    await session.tasksSettled()
    await session.wire.settled()
    if (sessions.get(session.id) !== session) return
    sessions.delete(session.id)
    await session.held?.letGo().catch(() => undefined)
    await session.peer.close()
  }

  function lose(session: Session): void {
    sessions.delete(session.id)
    void session.tasksSettled().then(session.wire.settled).then(session.peer.close)
  }

  return {
    answer: async (exchange) => {
      const { request, response, body } = exchange
      const { 'mcp-session-id': id, 'last-event-id': lastEventId } = request.headers
      const known = typeof id === 'string' ? await locate(id, exchange) : undefined
      if (known === 'unknown') return refuse(response, 404, 'Session not found')
      if (typeof id === 'string' && !known) return
      if (!known && !getList(body).some(isInitializeRequest)) {
        const message = 'Send "initialize" first, then the Mcp-Session-Id of its response.'
        return refuse(response, 400, message)
      }
      const isResumed = shared !== undefined && typeof lastEventId === 'string'
      const refusal = checkExchange(request, body, { wire: known?.wire, isResumed })
      if (refusal?.status === 405) response.setHeader('allow', 'GET, POST, DELETE')
      if (refusal) return refuse(response, refusal.status, refusal.message, refusal.code)
      if (response.destroyed) return
      if (!known && sessions.size >= maxSessions) return refuseBusy(response, 'Too many sessions')
      const session = known ?? (await begin(exchange))
      const { wire, peer, timer, held, begins } = session
      timer.refresh()
      held?.touch()
      if (exchange.beginCall && isJsonObject(body)) begins.set(body['id'], exchange.beginCall)
      if (request.method === 'POST')
        return wire.take(readMessages(body), { response, isPrimed: isPrimed(request, body) })
      if (request.method === 'GET')
        return await wire.sayUnasked(response, isResumed ? lastEventId : undefined)
      await peer.close()
      response.writeHead(200).end()
    },
    leave: async () => {
      await Promise.all([...sessions.values()].map(giveAway))
    },
    letGo: (id) => {
      for (const session of sessions.values())
        if (id === undefined || session.id === id) lose(session)
    },
    close: async () => {
      const open = [...sessions.values()]
      if (shared) sessions.clear()
      await Promise.all(
        open.map(async ({ peer, held }) => {
          await peer.close()
          await held?.letGo().catch(() => undefined)
        }),
      )
    },
  }
}

/** Whether a client understands an event without a message. Its first request names the version in its body. */
function isPrimed({ headers }: IncomingMessage, body: unknown): boolean {
  const { params } = getList(body).find(isInitializeRequest) ?? {}
  const version =
    headers['mcp-protocol-version'] ??
    (isJsonObject(params) ? params['protocolVersion'] : undefined)
  return typeof version === 'string' && version >= PRIMED_VERSION
}

/** A body is a message or, from older clients, a list of them. */
function getList(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body]
}

function isInitializeRequest(message: unknown): message is JsonObject {
  return isJsonObject(message) && message['method'] === 'initialize'
}

/** Whether a message is a valid `initialize` request. */
function isInitialize(message: unknown): boolean {
  const params = isInitializeRequest(message) ? message['params'] : undefined
  const { protocolVersion, capabilities, clientInfo } = isJsonObject(params) ? params : {}
  return (
    typeof protocolVersion === 'string' &&
    isJsonObject(capabilities) &&
    isJsonObject(clientInfo) &&
    typeof clientInfo['name'] === 'string' &&
    typeof clientInfo['version'] === 'string'
  )
}

/** Explains why an HTTP request is refused; `wire` is that of its session, absent for `initialize`; `isResumed`: it continues a stream. */
function checkExchange(
  request: IncomingMessage,
  body: unknown,
  { wire, isResumed }: { wire: SessionWire | undefined; isResumed: boolean },
): RequestRefusal | undefined {
  const { method, headers } = request
  const { accept = '', 'mcp-protocol-version': version } = headers
  if (wire && version !== undefined && !SESSION_VERSIONS.includes(String(version))) {
    const supported = SESSION_VERSIONS.join(', ')
    const message = `Bad Request: Unsupported protocol version: ${String(version)} (supported versions: ${supported})`
    return { status: 400, message }
  }
  if (method === 'DELETE') return undefined
  if (method === 'GET') {
    if (!accept.includes(EVENTS)) return notAcceptable(EVENTS)
    if (isResumed || !wire?.saysUnasked()) return undefined
    return { status: 409, message: 'Conflict: Only one SSE stream is allowed per session' }
  }
  if (method !== 'POST') return { status: 405, message: 'Method not allowed.' }
  if (!accept.includes('application/json') || !accept.includes(EVENTS))
    return notAcceptable(`both application/json and ${EVENTS}`)
  if (isJson(request)) return checkMessages(getList(body), wire)
  return { status: 415, message: 'Unsupported Media Type: Content-Type must be application/json' }
}

function notAcceptable(types: string): RequestRefusal {
  return { status: 406, message: `Not Acceptable: Client must accept ${types}` }
}

function checkMessages(
  messages: readonly unknown[],
  wire: SessionWire | undefined,
): RequestRefusal | undefined {
  if (messages.length > MAX_MESSAGES)
    return invalid(`Invalid Request: Batch must not exceed ${MAX_MESSAGES} messages`)
  if (!messages.every(isMessage))
    return { status: 400, message: 'Parse error: Invalid JSON-RPC message', code: PARSE_ERROR }
  const initializes = messages.some(isInitialize)
  if (wire && initializes) return invalid('Invalid Request: Server already initialized')
  if (initializes && messages.length > 1)
    return invalid('Invalid Request: Only one initialization request is allowed')
  if (!wire && !initializes) return { status: 400, message: 'Bad Request: Server not initialized' }
  const ids = getIds(readMessages(messages))
  // The client would take the answer to the earlier request for the answer to the later one.
  const taken = ids.find((id, index) => wire?.isOpen(id) === true || ids.indexOf(id) !== index)
  return taken === undefined ? undefined : invalid(duplicateId(taken))
}

function invalid(message: string): RequestRefusal {
  return { status: 400, message, code: INVALID_REQUEST }
}

/** Whether a value is a request, a notification, a result or an error of JSON-RPC without other fields. */
function isMessage(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { jsonrpc, id, method, params, result, error, ...others } = value
  if (jsonrpc !== '2.0' || Object.keys(others).length > 0) return false
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) return false
  if ([method, result, error].filter((part) => part !== undefined).length !== 1) return false
  if (method !== undefined)
    return typeof method === 'string' && (params === undefined || isJsonObject(params))
  if (params !== undefined) return false
  if (result !== undefined) return id !== undefined && isJsonObject(result)
  return (
    isJsonObject(error) &&
    Number.isSafeInteger(error['code']) &&
    typeof error['message'] === 'string'
  )
}
