import { randomUUID } from 'node:crypto'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import {
  INVALID_PARAMS,
  METHOD_NOT_FOUND,
  RpcError,
  UNSUPPORTED_VERSION,
  LOG_MESSAGE,
} from '../wire/message.ts'
import type { PeerRequest } from '../wire/peer.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { META, TASKS } from '../wire/request-meta.ts'
import { createCallsInRounds } from './call-in-rounds.ts'
import { createChangeStreams } from './change-streams.ts'
import { createStateSealer, type StateOptions, type StateSealer } from './sealed-state.ts'
import type { TaskRecords } from './task-records.ts'
import { type ClientProtocol, getCallContext, serveRequest } from './serve-call.ts'
import { identifyClient, type ServedClient } from './served-features.ts'
import { mayHaveTasks } from './served-tasks.ts'
import { createFollowedCalls, requireTasks } from './tasks-extension.ts'
import type { ClientService, ToolService } from './tool-service.ts'

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
  answer(
    request: PeerRequest,
    client: Pick<ServedClient, 'identity' | 'identified' | 'address' | 'beginCall'> &
      Pick<ClientProtocol, 'notify'>,
  ): Promise<JsonObject>
  /** Whether this process has a task with this id. */
  hasTask(taskId: string): boolean
  /** Ends the calls that wait for the next request of their client. */
  dropWaiting(): void
  /** Ends these calls, and the tasks. */
  drop(): void
  /** Ends these calls, the tasks, and the open streams for changes, each with its result. */
  close(): Promise<void>
}

/** What the service knows of its replicas. */
interface ReplicaView {
  /** Returns the id of this one. */
  ownId(): string
  /** The tasks of all of them. */
  tasks: TaskRecords
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

/** Serves MCP 2026-07-28. Between requests, only the open streams of a client are kept. `shared`: what all replicas know. Throws a `ServeError` if `stateKey` has another length. */
export function serveStateless(
  service: ToolService,
  { stateKey, spendState }: StateOptions,
  shared?: ReplicaView,
): StatelessService {
  const { name, version, instructions, info, readResource, features } = service
  const sealer = nameHolder(createStateSealer({ key: stateKey, spend: spendState }), shared)
  const followed = createFollowedCalls(shared?.tasks)
  const calls = createCallsInRounds(sealer, followed)
  const streams = createChangeStreams(service, followed)

  /** Opens what a client is served for one request. */
  async function openOwn(client: ServedClient): Promise<ClientService> {
    return service.open ? await service.open(client) : { ...service, close: async () => undefined }
  }

  async function readResult(
    request: PeerRequest,
    about: Parameters<StatelessService['answer']>[1],
  ): Promise<JsonObject> {
    const { method, params } = request
    const envelope = readEnvelope(params)
    checkVersion(envelope)
    const { notify } = about
    const client = createClient(envelope, about)
    const { capabilities } = client
    switch (method) {
      case 'server/discover': {
        const { extensions: ownExtensions, ...offered } = features?.capabilities() ?? {}
        const extensions = {
          ...(isJsonObject(ownExtensions) && ownExtensions),
          ...(mayHaveTasks(service) && { [TASKS]: {} }),
        }
        return {
          supportedVersions: [STATELESS_VERSION],
          capabilities: {
            ...(readResource && { resources: {} }),
            ...offered,
            ...(Object.keys(extensions).length > 0 && { extensions }),
            tools: { listChanged: true },
          },
          ...(instructions !== undefined && { instructions }),
        }
      }
      case 'subscriptions/listen':
        return await streams.listen(request, { client, notify })
    }
    if (REMOVED.has(method)) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
    if (method.startsWith('tasks/')) {
      requireTasks(capabilities)
      return await followed.answer(method, params, identifyClient(client))
    }
    const { inputResponses, requestState, ...plainParams } = params
    const { signal } = request
    const log = { client, level: envelope[LOG_LEVEL], signal }
    if (method === 'tools/call')
      return await calls.serve({
        context: getCallContext(service, request, notify),
        client,
        params: plainParams,
        inputResponses: isJsonObject(inputResponses) ? inputResponses : {},
        requestState: typeof requestState === 'string' ? requestState : undefined,
        notify: client.notify,
        open: async () => await openOwn(client),
        watchLog: async (own) => await watchLog(own, log),
      })
    const own = await openOwn(client)
    const unwatch = await watchLog(own, log)
    try {
      return await serveRequest(own, request, { protocolVersion: STATELESS_VERSION, client })
    } finally {
      unwatch()
      await own.close().catch(() => undefined)
    }
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
    hasTask: followed.has,
    dropWaiting: calls.close,
    drop,
    close: async () => {
      // Calls that ran may have begun to wait.
      drop()
      await streams.close()
    },
  }
}

/** Writes before each state which replica has its call, so that others pass the next request of the client on to it. It proves nothing. */
function nameHolder(
  sealer: StateSealer,
  shared: Pick<ReplicaView, 'ownId'> | undefined,
): StateSealer {
  if (!shared) return sealer
  return {
    seal: (...state) => `${shared.ownId()}${HOLDER_END}${sealer.seal(...state)}`,
    open: async (sealed, owner) =>
      await sealer.open(sealed.slice(sealed.indexOf(HOLDER_END) + 1), owner),
  }
}

/** A sealed state does not contain it. */
const HOLDER_END = '.'

/** Returns the id of the replica that has the call which a request continues. */
export function findHolder(body: unknown): string | undefined {
  const { params }: JsonObject = isJsonObject(body) ? body : {}
  const state = isJsonObject(params) ? params['requestState'] : undefined
  const end = typeof state === 'string' ? state.indexOf(HOLDER_END) : -1
  return typeof state === 'string' ? readUuid(state.slice(0, Math.max(end, 0))) : undefined
}

/** Returns the id of a replica or a task; `undefined` for anything else that a client writes. */
export function readUuid(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\da-f-]{36}$/.test(value) ? value : undefined
}

/** Passes log messages on that a request asks for, until the returned function is called. */
async function watchLog(
  { features }: ToolService,
  { client, level, signal }: { client: ServedClient; level: unknown; signal: AbortSignal },
): Promise<() => void> {
  if (!features || typeof level !== 'string') return () => undefined
  const unwatch = features.watch((method, params) => {
    if (method === LOG_MESSAGE) client.notify(method, params)
  }, client)
  const request = { method: 'logging/setLevel', params: { level }, signal }
  await features.answer(request, client).catch(() => undefined)
  return unwatch
}

/** A client of this version is asked only in results of calls. */
function createClient(
  envelope: Record<string, unknown>,
  { identity, identified, address, beginCall, notify }: Parameters<StatelessService['answer']>[1],
): ServedClient {
  const { [CAPABILITIES]: declared, [CLIENT_INFO]: info } = envelope
  return {
    id: randomUUID(),
    protocolVersion: STATELESS_VERSION,
    capabilities: isJsonObject(declared) ? declared : {},
    ...(isJsonObject(info) && { info }),
    identity,
    ...(identified && { identified }),
    ...(address !== undefined && { address }),
    ...(beginCall && { beginCall }),
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
