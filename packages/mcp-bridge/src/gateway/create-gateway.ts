import { type JsonObject, type ToolCall, isJsonObject } from '@toolblocks/protocol'
import { requireArguments } from '@toolblocks/protocol/internal'
import type { AnswerServerRequest, McpServer, ServerHooks } from '../client/mcp-server.ts'
import type { ServedClient, ServedFeatures } from '../server/served-features.ts'
import type { ServeCall } from '../server/tool-service.ts'
import {
  INTERNAL_ERROR,
  METHOD_NOT_FOUND,
  NOT_ANSWERED,
  RpcError,
  LOG_MESSAGE,
  SUBSCRIBE,
  UNSUBSCRIBE,
  UPDATED,
} from '../wire/message.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { type LocalFeatures, createLocalSource } from './local-features.ts'
import { toServerUri, trackEqualUris } from './equal-uris.ts'
import { type FeatureSource, withoutEnvelope } from './pass-request.ts'
import { EMPTY_ANSWERS, POSSIBLE_CAPABILITIES } from './possible-features.ts'
import { trackResourceSubscriptions } from './resource-subscriptions.ts'
import { joinCapabilities, routeRequest } from './route-request.ts'
import { trackProgress } from './track-progress.ts'

/**
 * Connects one client with servers beyond tools: prompts, resources, completions, log messages, sampling, roots and later additions pass in both
 * directions, also between different versions of MCP. The tools of the servers are served by a `ToolService` as any others. What a server asks or
 * says belongs to the client whose connection it came over, so each client has a gateway and connections of its own.
 */
export interface Gateway {
  /** Returns the hooks for `connectServer`, for the server with this configured name. */
  createHooks(server: string): ServerHooks
  /**
   * Sets the servers that the client reaches, and prompts and resources of the host itself, which come in the same lists. With one server and
   * nothing local, all names are its own; else `server__` stands before the names of its prompts.
   */
  setServers(
    servers: readonly McpServer[],
    options?: {
      local?: LocalFeatures | undefined
      /** Whether more servers are being started. What they offer is not known: everything is announced. Default: false. */
      isStarting?: boolean
    },
  ): void
  /** Wraps the calls of a `ToolService`, so that a request of a server during a call is answered through that call. */
  during(callTool: ServeCall): ServeCall
  /** Whether a call with this id runs. */
  hasCall(id: string): boolean
  /** Whether the client waits for what a server says on its own: it has subscribed to a resource. */
  isAwaited(): boolean
  /** For a `ToolService`. */
  readonly features: ServedFeatures
}

/** The client of a gateway, or what it declares if it is not connected yet. */
export type GatewayClient = ServedClient | Pick<ServedClient, 'capabilities'>

/** Milliseconds that a request of a server waits for a client that is not connected yet. */
const FIRST_CLIENT_MS = 10_000

/** What servers must know of their clients to offer their extensions. All clients can ignore what the extensions add. */
export const EXTENSIONS = {
  'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
}

/**
 * Creates the gateway of a client, without servers. `canAsk`: whether the host answers the questions of servers although the client cannot, for example
 * because they wait in a store; called when a server is connected.
 */
export function createGateway(
  own: GatewayClient,
  { canAsk = () => false }: { canAsk?: () => boolean } = {},
): Gateway {
  requireArguments('createGateway(own)', [own, 'object'])
  const watchers = new Map<(method: string, params: JsonObject) => void, ServedClient>()
  const calling: { call: ToolCall; client: ServedClient }[] = []
  const progress = trackProgress()
  const uris = trackEqualUris()
  const subscriptions = trackResourceSubscriptions(tell, uris)
  const { promise: first, resolve: onClient } = Promise.withResolvers<void>()
  let servers: readonly McpServer[] = []
  let sources: readonly FeatureSource[] = []
  /** Whether servers are still starting, and whether they were when the client asked what is offered. */
  let areStarting = false
  let isAnnounced = false
  let logLevel: string | undefined
  if (isConnected(own)) onClient()

  function tell(method: string, params: JsonObject): void {
    for (const watcher of watchers.keys()) watcher(method, params)
  }

  /**
   * Returns the client that answers a request of a server: through its call if that is known; otherwise through the running calls, because a client
   * of MCP 2026-07-28 answers only in results of calls; otherwise through its session. Several calls of such a client cannot be told apart.
   */
  function findClient(call: ToolCall | undefined): ServedClient | undefined {
    const known = calling.find((running) => running.call.id === call?.id)
    if (known) return known.client
    const asked = calling.map(({ client }) => client)
    if (new Set(asked.map(({ id }) => id)).size > 1) return undefined
    const [session] = [...watchers.values()].filter(isSession)
    return asked.at(-1) ?? session ?? (isConnected(own) ? own : undefined)
  }

  /** Asks the client that must have declared the capability. */
  function askClient(method: string, capability: string): AnswerServerRequest {
    return async (params, signal, call) => {
      await waitFor(first, signal)
      const client = findClient(call)
      if (!client)
        throw new RpcError(INTERNAL_ERROR, 'It is unknown which call of which client must answer.')
      if (client.capabilities[capability] === undefined)
        throw new RpcError(METHOD_NOT_FOUND, `The client does not support ${method}.`)
      const reply = await client.request(method, params, signal)
      switch (reply.kind) {
        case 'result':
          return isJsonObject(reply.result) ? reply.result : {}
        case 'error':
          throw new RpcError(reply.code, reply.message, reply.data)
        case 'loss':
        case 'aborted':
          throw new RpcError(NOT_ANSWERED, 'The client has not answered.')
      }
    }
  }

  /** Returns what servers learn of the client, and how they ask it. */
  function declare({ elicitation, sampling, roots, extensions }: JsonObject): ServerHooks {
    return {
      canAsk: elicitation !== undefined,
      areDefaultsShown: true,
      capabilities: {
        extensions: { ...EXTENSIONS, ...(isJsonObject(extensions) && extensions) },
        elicitation,
        sampling,
        roots,
      },
      ...(sampling !== undefined && {
        createMessage: askClient('sampling/createMessage', 'sampling'),
      }),
      ...(roots !== undefined && { listRoots: askClient('roots/list', 'roots') }),
    }
  }

  function repeatLogLevel(name: string): void {
    const server = servers.find((each) => each.name === name)
    if (logLevel === undefined || server?.protocolVersion === STATELESS_VERSION) return
    const context = { signal: AbortSignal.timeout(SET_LEVEL_MS) }
    if (server?.capabilities['logging'] !== undefined)
      void server.request(SET_LEVEL, { level: logLevel }, context)
  }

  return {
    createHooks: (server) => ({
      ...declare({
        ...own.capabilities,
        elicitation: own.capabilities['elicitation'] ?? (canAsk() ? {} : undefined),
      }),
      logLevel: () => logLevel,
      onStateChange: ({ kind }) => {
        if (kind === 'lost') subscriptions.onLost(server)
        // A new connection knows nothing of the level.
        if (kind === 'connected') repeatLogLevel(server)
      },
      onTask: ({ id }) => {
        const client = calling.find(({ call }) => call.id === id)?.client
        client?.continueAsTask?.()
        return client?.continueAsTask !== undefined
      },
      onNotification: (method, params) => {
        if (method === ACKNOWLEDGED) subscriptions.onAcknowledged(server, params)
        if (progress.pass(method, params) || OWN.has(method)) return
        const plainParams = withoutEnvelope(params)
        const { uri } = plainParams
        if (method === UPDATED && typeof uri === 'string' && uris.isRenamed(server, uri))
          return tell(method, { ...plainParams, uri: toServerUri(server, uri) })
        tell(
          method,
          method === LOG_MESSAGE && servers.length > 1
            ? nameLogger(server, plainParams)
            : plainParams,
        )
      },
    }),
    setServers: (nextServers, { local, isStarting = false } = {}) => {
      const late = nextServers.filter((server) => !servers.includes(server))
      const isLate = isAnnounced && late.length > 0
      servers = [...nextServers]
      sources = [...(local ? [createLocalSource(local)] : []), ...nextServers]
      areStarting = isStarting
      isAnnounced ||= isStarting
      if (!isLate) return
      for (const { name } of late) repeatLogLevel(name)
      for (const list of LISTS) tell(`notifications/${list}/list_changed`, {})
    },
    during: (callTool) => async (call, context, client) => {
      onClient()
      const running = { call, client }
      calling.push(running)
      try {
        return await callTool(call, context, client)
      } finally {
        calling.splice(calling.indexOf(running), 1)
      }
    },
    hasCall: (id) => calling.some(({ call }) => call.id === id),
    isAwaited: subscriptions.areHeld,
    features: {
      capabilities: () =>
        areStarting
          ? { ...POSSIBLE_CAPABILITIES, ...joinCapabilities(sources) }
          : joinCapabilities(sources),
      answer: async (request, client) => {
        const { method, params } = request
        switch (method) {
          case SUBSCRIBE:
            return await subscriptions.subscribe(sources, request, client)
          case UNSUBSCRIBE:
            return await subscriptions.unsubscribe(request, client)
          case SET_LEVEL: {
            const { level } = params
            if (typeof level === 'string') logLevel = level
          }
        }
        try {
          return await progress.during(request, client, async (passed) =>
            routeRequest(sources, { ...request, params: passed }, client, uris),
          )
        } catch (error) {
          const empty = isAnnounced ? EMPTY_ANSWERS[method] : undefined
          if (!empty || !(error instanceof RpcError) || error.code !== METHOD_NOT_FOUND) throw error
          return empty
        }
      },
      onClientNotification: (method, params) => {
        if (own && PASSED.has(method)) for (const server of servers) server.notify(method, params)
      },
      watch: (listener, client) => {
        watchers.set(listener, client)
        onClient()
        return () => void watchers.delete(listener)
      },
    },
  }
}

function isConnected(client: Pick<ServedClient, 'capabilities'>): client is ServedClient {
  return 'request' in client
}

function isSession({ protocolVersion }: ServedClient): boolean {
  return protocolVersion !== STATELESS_VERSION
}

const SET_LEVEL = 'logging/setLevel'

const LISTS = ['prompts', 'resources']

const SET_LEVEL_MS = 10_000

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'

/** Notifications of a server that concern only this side. */
const OWN: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/cancelled',
  'notifications/progress',
  // Clients do not know the tasks of a server.
  'notifications/tasks',
  'notifications/tasks/status',
  ACKNOWLEDGED,
])

/** Notifications of a client that servers receive. */
const PASSED: ReadonlySet<string> = new Set(['notifications/roots/list_changed'])

/** Says which server a log message is from. */
function nameLogger(server: string, params: JsonObject): JsonObject {
  const { logger } = params
  return { ...params, logger: typeof logger === 'string' ? `${server}: ${logger}` : server }
}

/** Waits for a promise, at most for some seconds, or until the signal aborts. */
async function waitFor(first: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const end = (): void => resolve()
  const timer = setTimeout(end, FIRST_CLIENT_MS).unref()
  signal.addEventListener('abort', end, { once: true })
  await Promise.race([first, over])
  clearTimeout(timer)
  signal.removeEventListener('abort', end)
}
