import type { IncomingMessage, ServerResponse } from 'node:http'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import {
  HEADER_MISMATCH,
  INVALID_REQUEST,
  type RpcMessage,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  readMessages,
  RpcError,
  SERVER_ERROR,
} from '../wire/message.ts'
import { openPeer, type Wire } from '../wire/peer.ts'
import { tracePeer } from '../wire/trace-peer.ts'
import {
  findArgumentMismatch,
  findRequestMismatch,
  type GivenHeaders,
  type HeaderMismatch,
  STATELESS_VERSION,
} from '../wire/request-headers.ts'
import type { ClientIdentity } from '../identity/client-identity.ts'
import { isJson } from './check-request.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { checkVersion, type StatelessService, readEnvelope } from './serve-stateless.ts'
import type { ToolService } from './tool-service.ts'

/** An HTTP request whose host, origin and token have been checked, and its response. */
export interface HttpExchange {
  request: IncomingMessage
  response: ServerResponse
  /** The JSON of the request; `undefined` without a body. */
  body: unknown
  /** Who sends it, as `ServedClient` has it. */
  identity: string
  /** As `ServedClient` has it. */
  identified?: ClientIdentity
  /** As `ServedClient` has it. */
  address?: string | undefined
  /** Whether another replica has passed it on. */
  isPassed: boolean
  /** As `ServedClient` has it. */
  beginCall?: (() => Promise<void>) | undefined
}

/** Whether a header names MCP 2026-07-28 or a later version. */
export function isStatelessVersion(version: unknown): boolean {
  return typeof version === 'string' && version >= STATELESS_VERSION
}

/** Answers one HTTP request of MCP 2026-07-28. */
export async function answerStatelessRequest(
  { service, stateless }: { service: ToolService; stateless: StatelessService },
  { request, response, body, identity, identified, address, beginCall }: HttpExchange,
): Promise<void> {
  const { headers, method } = request
  if (response.destroyed) return
  if (method !== 'POST') return refuse(response, 405, 'Only POST is served.')
  if (!isJson(request)) return refuse(response, 415, 'Expected the content type application/json.')
  const [message] = Array.isArray(body) ? [] : readMessages(body)
  if (message?.kind === 'notification') return void response.writeHead(202).end()
  if (message?.kind !== 'request')
    return refuse(response, 400, 'Expected one request of JSON-RPC.', INVALID_REQUEST)
  try {
    checkHeaders(message, { headers, identified }, service)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { code, message: text, data } = error
    return send(response, 400, { id: message.id, error: { code, message: text, data } })
  }
  const { telemetry } = service
  const peer = openPeer(wireOverResponse(message, response), {
    traces:
      telemetry &&
      tracePeer(telemetry, {
        side: 'server',
        transport: 'tcp',
        client: () => ({ address, identified }),
      }),
    onNotification: () => undefined,
    onRequest: async (asked) =>
      await stateless.answer(asked, {
        identity,
        ...(identified && { identified }),
        ...(address !== undefined && { address }),
        ...(beginCall && { beginCall }),
        notify: async (name, params) => await peer.notify(name, params, { relatedTo: asked.id }),
      }),
  })
  await peer.ended
}

/** Throws an `RpcError` if the headers differ from the body. */
function checkHeaders(
  request: Extract<RpcMessage, { kind: 'request' }>,
  { headers, identified }: { headers: GivenHeaders; identified: ClientIdentity | undefined },
  { definitions, isHidden }: ToolService,
): void {
  const { method, params } = request
  const envelope = readEnvelope(params)
  const { 'io.modelcontextprotocol/protocolVersion': version } = envelope
  const headerVersion = headers['mcp-protocol-version'] ?? version
  if (headerVersion === version) checkVersion(envelope)
  const { name, arguments: values } = params
  const isKnown =
    method === 'tools/call' &&
    typeof name === 'string' &&
    isHidden?.(name, { ...(identified && { identified }) }) !== true
  const definition = isKnown ? definitions().find((tool) => tool.name === name) : undefined
  const mismatch: HeaderMismatch | undefined =
    findRequestMismatch({ method, params }, version, headers) ??
    (definition && isJsonObject(values)
      ? findArgumentMismatch(definition.inputSchema, values, headers)
      : undefined)
  if (!mismatch) return
  const { header, reason } = mismatch
  throw new RpcError(HEADER_MISMATCH, `The headers and the request differ: ${header}: ${reason}.`, {
    mismatch: { header, body: reason },
  })
}

/** Creates the wire of one request. The answer is JSON, or a stream of events if a message comes before the answer. */
function wireOverResponse(
  request: Extract<RpcMessage, { kind: 'request' }>,
  response: ServerResponse,
): Wire {
  let stream: EventStream | undefined
  return {
    start: ({ onMessage, onEnd }) => {
      response.once('close', () =>
        onEnd({
          kind: 'lost',
          reason: 'the request is over',
          maybeExecuted: true,
          transient: false,
        }),
      )
      onMessage(request)
    },
    send: async (message) => {
      const isAnswer = message['method'] === undefined
      // Another replica may have begun a stream of events on this response.
      if (isAnswer && !stream && !response.headersSent)
        return send(response, getStatus(message['error']), message)
      stream ??= openEventStream(response)
      await stream.send(message)
      if (isAnswer) stream.end()
    },
    close: async () => void response.destroy(),
  }
}

/** MCP sets the HTTP status for unknown methods and for missing capabilities of the client. */
function getStatus(error: unknown): number {
  const code = isJsonObject(error) ? error['code'] : undefined
  return code === METHOD_NOT_FOUND ? 404 : code === MISSING_CAPABILITY ? 400 : 200
}

/** Seconds after which a client that was refused may try again. */
const RETRY_AFTER_SECONDS = 5

/** Answers a request that is refused because this server has no room for it now. */
export function refuseBusy(response: ServerResponse, message: string): void {
  response.setHeader('retry-after', RETRY_AFTER_SECONDS)
  refuse(response, 503, `${message}; try again later.`)
}

/** Answers a request that is refused. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  code: number = SERVER_ERROR,
): void {
  send(response, status, { id: null, error: { code, message } })
}

function send(response: ServerResponse, status: number, message: JsonObject): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
}
