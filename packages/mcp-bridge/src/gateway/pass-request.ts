import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { MAX_INQUIRY_ROUNDS } from '@toolblocks/protocol/internal'
import type { McpServer } from '../client/mcp-server.ts'
import type { FeatureRequest, ServedClient } from '../server/served-features.ts'
import { INTERNAL_ERROR, INVALID_PARAMS, RESOURCE_NOT_FOUND, RpcError } from '../wire/message.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { isOfProtocol } from '../wire/request-meta.ts'

/** Milliseconds to wait if a server wants the request again without a question. */
const STATE_ONLY_MS = 250

/** A server, or the host itself, whose name is empty. */
export type FeatureSource = Pick<McpServer, 'name' | 'capabilities' | 'request' | 'hasLinked'> &
  Partial<Pick<McpServer, 'protocolVersion'>>

/** Sends a request to a server, and returns the result in the form of the client's version. Rejects with an `RpcError`. */
export async function passRequest(
  server: FeatureSource,
  { method, params: sentParams, signal }: FeatureRequest,
  client: ServedClient,
): Promise<JsonObject> {
  const params = withoutEnvelope(sentParams)
  const isStateless = client.protocolVersion === STATELESS_VERSION
  let more: JsonObject = {}
  for (let round = 0; round < MAX_INQUIRY_ROUNDS; round += 1) {
    const result = await send(server, { method, params: { ...params, ...more }, signal }, client)
    // A client of this version answers the questions itself, and repeats the request.
    if (isStateless) return result
    if (result['resultType'] !== 'input_required') return toSessionResult(result)
    more = await answerForServer(result, client, signal)
    if (more['inputResponses'] === undefined)
      await pause(STATE_ONLY_MS, undefined, { signal }).catch(() => undefined)
  }
  throw new RpcError(
    INTERNAL_ERROR,
    `The server still asks after ${MAX_INQUIRY_ROUNDS} rounds of questions.`,
  )
}

async function send(
  server: FeatureSource,
  { method, params, signal }: FeatureRequest,
  client: ServedClient,
): Promise<JsonObject> {
  const reply = await server.request(method, params, { signal })
  switch (reply.kind) {
    case 'result':
      if (isJsonObject(reply.result)) return reply.result
      throw new RpcError(INTERNAL_ERROR, 'The result of the server is not an object.')
    case 'error': {
      const isMissing =
        reply.code === RESOURCE_NOT_FOUND && client.protocolVersion === STATELESS_VERSION
      throw new RpcError(isMissing ? INVALID_PARAMS : reply.code, reply.message, reply.data)
    }
    case 'loss':
      throw new RpcError(INTERNAL_ERROR, `The server has not answered: ${reply.loss.reason}.`)
    case 'aborted':
      throw new RpcError(INTERNAL_ERROR, 'The request was cancelled.')
  }
}

/** Removes what one side of MCP 2026-07-28 adds to a message about itself: the other side is connected with the gateway. */
export function withoutEnvelope(params: JsonObject): JsonObject {
  const { _meta: meta, ...rest } = params
  if (!isJsonObject(meta)) return params
  const kept = Object.entries(meta).filter(([field]) => !isOfProtocol(field))
  return kept.length === 0 ? rest : { ...rest, _meta: Object.fromEntries(kept) }
}

/** Removes what only MCP 2026-07-28 has in results. */
function toSessionResult({
  resultType: _type,
  ttlMs: _ttl,
  cacheScope: _scope,
  ...result
}: JsonObject): JsonObject {
  return result
}

/** Asks a client of an earlier version what a server asks in a result. */
async function answerForServer(
  { inputRequests, requestState }: JsonObject,
  client: ServedClient,
  signal: AbortSignal,
): Promise<JsonObject> {
  const responses: [string, JsonObject][] = []
  for (const [key, request] of Object.entries(isJsonObject(inputRequests) ? inputRequests : {})) {
    const { method, params } = isJsonObject(request) ? request : {}
    responses.push([
      key,
      await askSession(client, {
        method: String(method),
        params: isJsonObject(params) ? params : {},
        signal,
      }),
    ])
  }
  return {
    ...(responses.length > 0 && { inputResponses: Object.fromEntries(responses) }),
    ...(typeof requestState === 'string' && { requestState }),
  }
}

/** Returns the client's response; a response that says nothing, if it has none. */
async function askSession(
  client: ServedClient,
  { method, params, signal }: FeatureRequest,
): Promise<JsonObject> {
  const isPage = method === 'elicitation/create' && params['mode'] === 'url'
  const asked = isPage ? { elicitationId: randomUUID(), ...params } : params
  const reply = await client.request(method, asked, signal)
  if (reply.kind === 'result' && isJsonObject(reply.result)) return reply.result
  switch (method) {
    case 'elicitation/create':
      return { action: 'cancel' }
    case 'roots/list':
      return { roots: [] }
    default:
      return {}
  }
}
