import { type JsonObject } from '@toolblocks/protocol'
import { getOwnField, isJsonObject } from '@toolblocks/protocol/json'
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError, UNSUPPORTED_VERSION } from '../wire/message.ts'
import type { PeerRequest } from '../wire/peer.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { callInRounds } from './call-in-rounds.ts'
import { getModes } from './elicitation.ts'
import { createStateSealer } from './sealed-state.ts'
import { type ClientProtocol, serveRequest } from './serve-call.ts'
import type { ToolService } from './tool-service.ts'

const META = 'io.modelcontextprotocol'
const VERSION = `${META}/protocolVersion`
const CAPABILITIES = `${META}/clientCapabilities`
const CLIENT_INFO = `${META}/clientInfo`
const SUBSCRIPTION = `${META}/subscriptionId`

/** Methods whose results say how long they may be cached. */
const CACHEABLE = new Set(['tools/list', 'resources/list', 'resources/read', 'server/discover'])
/** The maximum number of open streams for changes. */
const MAX_SUBSCRIPTIONS = 1024

/** Answers requests of MCP 2026-07-28, which are independent of each other. */
export interface StatelessService {
  /** `credentials`: those that the client sent, if any. */
  answer(
    request: PeerRequest,
    client: { credentials: string; notify: ClientProtocol['notify'] },
  ): Promise<JsonObject>
  /** Ends the open streams for changes, each with its result. */
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

/** Serves MCP 2026-07-28. Between requests, only the open streams of a client are kept. */
export function serveStateless(service: ToolService, stateKey?: Uint8Array): StatelessService {
  const { name, version, instructions, readResource } = service
  const sealer = createStateSealer({ key: stateKey })
  const closing = new AbortController()
  let subscriptions = 0

  /** Sends changes until the client or the server ends the stream. */
  async function listen(
    { id, params: { notifications }, signal }: PeerRequest,
    notify: ClientProtocol['notify'],
  ): Promise<JsonObject> {
    if (!isJsonObject(notifications))
      throw new RpcError(INVALID_PARAMS, 'Expected "notifications", an object.')
    if (subscriptions >= MAX_SUBSCRIPTIONS)
      throw new RpcError(
        INTERNAL_ERROR,
        `The maximum of ${MAX_SUBSCRIPTIONS} subscriptions is reached.`,
      )
    const _meta = { [SUBSCRIPTION]: id }
    const hearsTools = notifications['toolsListChanged'] === true
    const honored = hearsTools ? { toolsListChanged: true } : {}
    await notify('notifications/subscriptions/acknowledged', { notifications: honored, _meta })
    if (!hearsTools) return { _meta }
    subscriptions += 1
    const unwatch = service.onDefinitionsChanged?.(
      () => void notify('notifications/tools/list_changed', { _meta }).catch(() => undefined),
    )
    await untilAborted(signal, closing.signal)
    unwatch?.()
    subscriptions -= 1
    return { _meta }
  }

  async function readResult(
    request: PeerRequest,
    { credentials, notify }: Parameters<StatelessService['answer']>[1],
  ): Promise<JsonObject> {
    const { method, params } = request
    const envelope = readEnvelope(params)
    checkVersion(envelope)
    switch (method) {
      case 'server/discover':
        return {
          supportedVersions: [STATELESS_VERSION],
          capabilities: { tools: { listChanged: true }, ...(readResource && { resources: {} }) },
          ...(instructions !== undefined && { instructions }),
        }
      case 'subscriptions/listen':
        return await listen(request, notify)
    }
    const { inputResponses, requestState, ...given } = params
    const caller = `${credentials}\n${findName(envelope[CLIENT_INFO]) ?? ''}`
    return await serveRequest(service, request, {
      protocolVersion: '2026-07-28',
      notify,
      serveCall: async (context) =>
        await callInRounds(service, sealer, {
          context,
          params: given,
          inputResponses: isJsonObject(inputResponses) ? inputResponses : {},
          requestState: typeof requestState === 'string' ? requestState : undefined,
          modes: getModes(envelope[CAPABILITIES]),
          caller,
        }),
    })
  }

  return {
    answer: async (request, client) => {
      const { _meta: meta, ...result } = await readResult(request, client)
      return {
        resultType: 'complete',
        ...(CACHEABLE.has(request.method) && { ttlMs: 0, cacheScope: 'private' }),
        ...result,
        _meta: { ...(isJsonObject(meta) && meta), [`${META}/serverInfo`]: { name, version } },
      }
    },
    close: async () => {
      closing.abort()
      // The results are still being written.
      await new Promise(setImmediate)
    },
  }
}

function findName(info: unknown): string | undefined {
  const name = isJsonObject(info) ? getOwnField(info, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}

async function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = (): void => resolve()
  for (const signal of signals) {
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  }
  await promise
  for (const signal of signals) signal.removeEventListener('abort', stop)
}
