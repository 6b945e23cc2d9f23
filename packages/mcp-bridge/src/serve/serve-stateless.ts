import { randomUUID } from 'node:crypto'
import { type JsonObject } from '@toolblocks/protocol'
import { getOwnField, isJsonObject } from '@toolblocks/protocol/json'
import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError, UNSUPPORTED_VERSION } from '../wire/message.ts'
import type { PeerRequest } from '../wire/peer.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { META, TASKS } from '../wire/request-meta.ts'
import { createCallsInRounds } from './call-in-rounds.ts'
import { createChangeStreams } from './change-streams.ts'
import { createStateSealer, type StateOptions } from './sealed-state.ts'
import { type ClientProtocol, serveRequest } from './serve-call.ts'
import { LOG_MESSAGE, type ServedClient } from './served-features.ts'
import { createFollowedCalls, requireTasks } from './tasks-extension.ts'
import type { ToolService } from './tool-service.ts'

const VERSION = `${META}/protocolVersion`
const CAPABILITIES = `${META}/clientCapabilities`
const CLIENT_INFO = `${META}/clientInfo`
const LOG_LEVEL = `${META}/logLevel`

/** Methods whose results say how long they may be cached. */
const CACHEABLE = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
  'skills/list',
  'skills/get',
])
/** Methods of earlier versions. This version has streams for changes and a field of each request in their place. */
const REMOVED = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/list',
  'tasks/result',
])

/** Answers requests of MCP 2026-07-28, which are independent of each other. */
export interface StatelessService {
  /** `credentials`: those that the client sent, if any. */
  answer(
    request: PeerRequest,
    client: { credentials: string; notify: ClientProtocol['notify'] },
  ): Promise<JsonObject>
  /** Ends the calls that wait for the next request of their client, and the tasks. */
  drop(): void
  /** Ends these calls, the tasks, and the open streams for changes, each with its result. */
  close(): Promise<void>
}

/** Whether a request is one of MCP 2026-07-28: every request contains the version. */
export function isStatelessRequest(params: unknown): boolean {
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) && Object.hasOwn(meta, VERSION)
}

/** Returns the client's data in a request; throws an `RpcError` if it is not as MCP requires. */
export function readEnvelope({ _meta: meta }: JsonObject): Record<string, unknown> {
  const envelope = isJsonObject(meta) ? meta : {}
  const client = getOwnField(envelope, CLIENT_INFO)
  const odd =
    typeof getOwnField(envelope, VERSION) !== 'string'
      ? VERSION
      : !isJsonObject(getOwnField(envelope, CAPABILITIES))
        ? CAPABILITIES
        : client !== undefined && findName(client) === undefined
          ? CLIENT_INFO
          : undefined
  if (odd === undefined) return envelope
  const message = `Invalid _meta of a request of ${STATELESS_VERSION}: ${JSON.stringify(odd)} is missing or malformed.`
  throw new RpcError(INVALID_PARAMS, message, { envelope: { key: odd } })
}

/** Checks the version that an envelope names; throws an `RpcError` if it is not supported. */
export function checkVersion(envelope: Record<string, unknown>): void {
  const requested = envelope[VERSION]
  if (requested === STATELESS_VERSION) return
  const message = `Unsupported protocol version: ${String(requested)}`
  throw new RpcError(UNSUPPORTED_VERSION, message, { supported: [STATELESS_VERSION], requested })
}

/** Serves MCP 2026-07-28. Between requests, only the open streams of a client are kept. Throws a `ServeError` if `stateKey` has another length. */
export function serveStateless(
  service: ToolService,
  { stateKey, spendState }: StateOptions,
): StatelessService {
  const { name, version, instructions, info, readResource, features } = service
  const sealer = createStateSealer({ key: stateKey, spend: spendState })
  const followed = createFollowedCalls()
  const calls = createCallsInRounds(service, sealer, followed)
  const streams = createChangeStreams(service, followed)

  /** Passes log messages of the server on while a request runs that asks for them. */
  async function withLog<Value>(
    envelope: Record<string, unknown>,
    { client, signal }: { client: ServedClient; signal: AbortSignal },
    work: () => Promise<Value>,
  ): Promise<Value> {
    const level = envelope[LOG_LEVEL]
    if (!features || typeof level !== 'string') return await work()
    const unwatch = features.watch((method, params) => {
      if (method === LOG_MESSAGE) client.notify(method, params)
    }, client)
    try {
      const request = { method: 'logging/setLevel', params: { level }, signal }
      await features.answer(request, client).catch(() => undefined)
      return await work()
    } finally {
      unwatch()
    }
  }

  async function readResult(
    request: PeerRequest,
    { credentials, notify }: Parameters<StatelessService['answer']>[1],
  ): Promise<JsonObject> {
    const { method, params } = request
    const envelope = readEnvelope(params)
    checkVersion(envelope)
    const caller = `${credentials}\n${findName(envelope[CLIENT_INFO]) ?? ''}`
    const declared = envelope[CAPABILITIES]
    const capabilities = isJsonObject(declared) ? declared : {}
    const client = createClient(capabilities, notify)
    switch (method) {
      case 'server/discover': {
        const { extensions, ...offered } = features?.capabilities() ?? {}
        return {
          supportedVersions: [STATELESS_VERSION],
          capabilities: {
            ...(readResource && { resources: {} }),
            ...offered,
            extensions: { ...(isJsonObject(extensions) && extensions), [TASKS]: {} },
            tools: { listChanged: true },
          },
          ...(instructions !== undefined && { instructions }),
        }
      }
      case 'subscriptions/listen':
        return await streams.listen(request, { client, caller, notify })
    }
    if (REMOVED.has(method)) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
    if (method.startsWith('tasks/')) {
      requireTasks(capabilities)
      return followed.answer(method, params, caller)
    }
    const { inputResponses, requestState, ...given } = params
    const { signal } = request
    return await withLog(envelope, { client, signal }, async () =>
      serveRequest(service, request, {
        protocolVersion: STATELESS_VERSION,
        client,
        notify,
        serveCall: async (context) =>
          await calls.serve({
            context,
            params: given,
            inputResponses: isJsonObject(inputResponses) ? inputResponses : {},
            requestState: typeof requestState === 'string' ? requestState : undefined,
            capabilities,
            caller,
            notify: client.notify,
          }),
      }),
    )
  }

  function drop(): void {
    calls.close()
    followed.close()
  }

  return {
    answer: async (request, client) => {
      const { _meta: meta, ...result } = await readResult(request, client)
      return {
        resultType: 'complete',
        ...(CACHEABLE.has(request.method) && { ttlMs: 0, cacheScope: 'private' }),
        ...result,
        _meta: {
          ...(isJsonObject(meta) && meta),
          [`${META}/serverInfo`]: { ...info, name, version },
        },
      }
    },
    drop,
    close: async () => {
      // Calls that ran may have begun to wait.
      drop()
      await streams.close()
    },
  }
}

/** A client of this version is asked only in results of calls. */
function createClient(capabilities: JsonObject, notify: ClientProtocol['notify']): ServedClient {
  return {
    id: randomUUID(),
    protocolVersion: STATELESS_VERSION,
    capabilities,
    request: async (method) => ({
      kind: 'error',
      code: METHOD_NOT_FOUND,
      message: `A client of ${STATELESS_VERSION} cannot be sent ${method} here.`,
    }),
    notify: (method, params) => void notify(method, params).catch(() => undefined),
  }
}

function findName(info: unknown): string | undefined {
  const name = isJsonObject(info) ? getOwnField(info, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}
