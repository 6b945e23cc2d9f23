import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { MAX_SESSION_IDLE_MS, MAX_SESSIONS } from '@toolblocks/protocol/internal'
import { isJson, type RequestRefusal } from './check-request.ts'
import { EVENTS, type EventStream, openEventStream } from './event-stream.ts'
import { type HttpExchange, refuse, refuseBusy } from './stateless-http.ts'
import type { ToolService } from './tool-service.ts'
import {
  duplicateId,
  type Id,
  INVALID_REQUEST,
  type RpcMessage,
  PARSE_ERROR,
  readMessages,
  SERVER_ERROR,
} from '../wire/message.ts'
import { type Hearing, openPeer, type Peer, type Wire } from '../wire/peer.ts'
import { tracePeer } from '../wire/trace-peer.ts'
import { serveSession } from './serve-session.ts'
import type { SessionLimits } from './session-limits.ts'
import { SESSION_VERSIONS } from '../wire/versions.ts'

/** Clients of MCP up to 2025-11-25 over HTTP, each with a session. */
export interface Sessions {
  answer(exchange: HttpExchange): Promise<void>
  close(): Promise<void>
}

interface Session {
  wire: SessionWire
  peer: Peer
  /** Who opened it. Nobody else reaches it. */
  identity: string
  /** Forgets the session. Started again by each request, and again while one is open. */
  timer: NodeJS.Timeout
}

/** The HTTP requests of one client, as one wire. */
interface SessionWire extends Wire {
  /** Passes messages on, and answers on the response of their HTTP request. */
  take(messages: readonly RpcMessage[], response: ServerResponse): void
  /** Sends messages that belong to no request of the client on this response. */
  sayUnasked(response: ServerResponse): void
  saysUnasked(): boolean
  /** Whether a request with this id has no answer yet. */
  isOpen(id: Id): boolean
  /** Whether no request and no stream is open. */
  isIdle(): boolean
}

/** The maximum number of messages in one body. */
const MAX_MESSAGES = 100

/** Serves clients with sessions. No session ends because another client arrives. */
export function serveSessions(
  service: ToolService,
  { maxSessions = MAX_SESSIONS, maxSessionIdleMs = MAX_SESSION_IDLE_MS }: SessionLimits = {},
): Sessions {
  const sessions = new Map<string, Session>()

  function openSession(identity: string): Session {
    const id = randomUUID()
    const wire = wireOverSession(id)
    const served = serveSession(service, { identity })
    const { telemetry } = service
    const peer: Peer = openPeer(wire, {
      traces:
        telemetry && tracePeer(telemetry, { side: 'server', transport: 'tcp', session: () => id }),
      onNotification: served.onNotification,
      onRequest: async (request) => await served.answer(request, peer),
    })
    const forget = (): void => {
      if (wire.isIdle()) void peer.close()
      else timer.refresh()
    }
    const timer = setTimeout(forget, maxSessionIdleMs).unref()
    const session = { wire, peer, identity, timer }
    sessions.set(id, session)
    void peer.ended.then(() => {
      clearTimeout(timer)
      sessions.delete(id)
    })
    return session
  }

  function find(id: unknown, identity: string): Session | undefined {
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    return session?.identity === identity ? session : undefined
  }

  return {
    answer: async ({ request, response, body, identity }) => {
      const { 'mcp-session-id': id } = request.headers
      const known = find(id, identity)
      if (!known && id !== undefined) return refuse(response, 404, 'Session not found')
      if (!known && !getList(body).some(isInitializeRequest)) {
        const message = 'Send "initialize" first, then the Mcp-Session-Id of its response.'
        return refuse(response, 400, message)
      }
      const refusal = checkExchange(request, body, known?.wire)
      if (refusal?.status === 405) response.setHeader('allow', 'GET, POST, DELETE')
      if (refusal) return refuse(response, refusal.status, refusal.message, refusal.code)
      if (response.destroyed) return
      if (!known && sessions.size >= maxSessions) return refuseBusy(response, 'Too many sessions')
      const { wire, peer, timer } = known ?? openSession(identity)
      timer.refresh()
      if (request.method === 'POST') return wire.take(readMessages(body), response)
      if (request.method === 'GET') return wire.sayUnasked(response)
      await peer.close()
      response.writeHead(200).end()
    },
    close: async () => {
      await Promise.all([...sessions.values()].map(async ({ peer }) => await peer.close()))
    },
  }
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

/** Explains why an HTTP request is refused; `wire` is that of its session, absent for `initialize`. */
function checkExchange(
  request: IncomingMessage,
  body: unknown,
  wire: SessionWire | undefined,
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
    if (!wire?.saysUnasked()) return undefined
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

/** The ids of the requests among messages. */
function getIds(messages: readonly RpcMessage[]): readonly Id[] {
  return messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []))
}

/** The requests of one HTTP request, and the stream of their answers. */
interface Answering {
  stream: EventStream
  unanswered: Set<Id>
}

const ENDED = {
  code: SERVER_ERROR,
  message: 'The session was ended before the request was answered. It may have been executed.',
}

function wireOverSession(sessionId: string): SessionWire {
  const headers = { 'mcp-session-id': sessionId }
  const open = new Map<Id, Answering>()
  let unasked: EventStream | undefined
  let hearing: Hearing | undefined

  return {
    start: (listener) => {
      hearing = listener
    },
    // A message that belongs to no request is lost if no stream is open for it.
    send: async (message, { relatedTo: id }) => {
      if (id === undefined) return await unasked?.send(message)
      const answering = open.get(id)
      if (!answering) throw new Error('the HTTP request is over')
      const { stream, unanswered } = answering
      if (message['method'] === undefined) {
        open.delete(id)
        unanswered.delete(id)
      }
      await stream.send(message)
      if (unanswered.size === 0) stream.end()
    },
    close: async () => {
      // A client that waits learns that it waits in vain.
      for (const [id, { stream }] of open)
        await stream.send({ jsonrpc: '2.0', id, error: ENDED }).catch(() => undefined)
      for (const { stream } of open.values()) stream.end()
      unasked?.end()
    },
    take: (messages, response) => {
      const unanswered = new Set(getIds(messages))
      if (unanswered.size === 0) response.writeHead(202).end()
      else {
        const answering = { stream: openEventStream(response, headers), unanswered }
        for (const id of unanswered) open.set(id, answering)
        // The answer cannot be sent in another way: without a store of events, a client cannot resume a stream.
        response.once('close', () => {
          for (const id of unanswered) {
            open.delete(id)
            hearing?.onUnheard?.(id)
          }
        })
      }
      for (const message of messages) hearing?.onMessage(message)
    },
    sayUnasked: (response) => {
      unasked = openEventStream(response, headers)
      response.once('close', () => {
        unasked = undefined
      })
    },
    saysUnasked: () => unasked !== undefined,
    isOpen: (id) => open.has(id),
    isIdle: () => open.size === 0 && unasked === undefined,
  }
}
