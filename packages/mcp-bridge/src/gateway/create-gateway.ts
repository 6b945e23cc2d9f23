import type { JsonObject, ToolCall } from '@toolblocks/protocol'
import { isJsonObject } from '@toolblocks/protocol/json'
import type { McpServer, ServerHooks } from '../client/mcp-server.ts'
import {
  LOG_MESSAGE,
  type ServedClient,
  type ServedFeatures,
  SUBSCRIBE,
  UNSUBSCRIBE,
} from '../serve/served-features.ts'
import type { ServeCall } from '../serve/tool-service.ts'
import { INTERNAL_ERROR, METHOD_NOT_FOUND, NOT_ANSWERED, RpcError } from '../wire/message.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { type LocalFeatures, createLocalSource } from './local-features.ts'
import { type FeatureSource, withoutEnvelope } from './pass-request.ts'
import { trackResourceSubscriptions } from './resource-subscriptions.ts'
import { joinCapabilities, routeRequest } from './route-request.ts'
import { trackProgress } from './track-progress.ts'

/**
 * Connects clients with servers beyond tools: prompts, resources, completions, log messages, sampling, roots and later additions pass in both
 * directions, also between different versions of MCP. The tools of the servers are served by a `ToolService` as any others.
 */
export interface Gateway {
  /** Returns the hooks for `connectServer`, for the server with this configured name. */
  createHooks(server: string): ServerHooks
  /**
   * Sets the servers that clients reach, and prompts and resources of the host itself, which come in the same lists. With one server and nothing
   * local, all names are its own; else `server__` stands before the names of its prompts.
   */
  setServers(servers: readonly McpServer[], local?: LocalFeatures): void
  /** Wraps the calls of a `ToolService`, so that a request of a server during a call reaches the client that called. */
  during(callTool: ServeCall): ServeCall
  /** For a `ToolService`. */
  readonly features: ServedFeatures
}

/** Milliseconds that a request of a server waits for the first client. */
const FIRST_CLIENT_MS = 10_000

/** What servers must know of their clients to offer their extensions. All clients can ignore what the extensions add. */
const EXTENSIONS = {
  'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
}

/** Creates a gateway without servers. */
export function createGateway(): Gateway {
  const watchers = new Map<(method: string, params: JsonObject) => void, ServedClient>()
  const calling: { call: ToolCall; client: ServedClient }[] = []
  const progress = trackProgress()
  const subscriptions = trackResourceSubscriptions(tell)
  const { promise: first, resolve: onClient } = Promise.withResolvers<void>()
  let servers: readonly McpServer[] = []
  let sources: readonly FeatureSource[] = []
  let logLevel: string | undefined

  function tell(method: string, params: JsonObject): void {
    for (const watcher of watchers.keys()) watcher(method, params)
  }

  /** Returns the client to which a request of a server belongs. A client never receives what may belong to another. */
  function findClient(): ServedClient | undefined {
    const asked =
      calling.length > 0
        ? calling.map(({ client }) => client)
        : [...watchers.values()].filter(isSession)
    return new Set(asked.map(({ id }) => id)).size === 1 ? asked.at(-1) : undefined
  }

  /** Asks the client that must have declared the capability. */
  async function askClient(
    { method, capability }: { method: string; capability: string },
    params: JsonObject,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    await waitFor(first, signal)
    const client = findClient()
    if (!client) throw new RpcError(INTERNAL_ERROR, 'It is unknown which client must answer.')
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

  return {
    createHooks: (server) => ({
      canAsk: true,
      capabilities: { extensions: EXTENSIONS, roots: { listChanged: true } },
      logLevel: () => logLevel,
      // A server may replace its own folders by those of the client, so a client without roots has none.
      listRoots: async (params, signal) =>
        await askClient({ method: 'roots/list', capability: 'roots' }, params, signal).catch(
          (error: unknown) => {
            // A client whose answer is missing may have folders.
            if (error instanceof RpcError && error.code === NOT_ANSWERED) throw error
            return { roots: [] }
          },
        ),
      createMessage: async (params, signal) =>
        await askClient(
          { method: 'sampling/createMessage', capability: 'sampling' },
          params,
          signal,
        ),
      onStateChange: ({ kind }) => {
        if (kind === 'lost') subscriptions.onLost(server)
      },
      onTask: ({ id }) => {
        const client = calling.find(({ call }) => call.id === id)?.client
        client?.continueAsTask?.()
        return client?.continueAsTask !== undefined
      },
      onNotification: (method, params) => {
        if (method === ACKNOWLEDGED) subscriptions.onAcknowledged(server, params)
        if (progress.pass(method, params) || OWN.has(method)) return
        const told = withoutEnvelope(params)
        tell(method, method === LOG_MESSAGE && servers.length > 1 ? nameLogger(server, told) : told)
      },
    }),
    setServers: (given, local) => {
      servers = given
      sources = [...(local ? [createLocalSource(local)] : []), ...given]
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
    features: {
      capabilities: () => joinCapabilities(sources),
      answer: async (request, client) => {
        if (request.method === 'logging/setLevel' && typeof request.params['level'] === 'string')
          logLevel = request.params['level']
        switch (request.method) {
          case SUBSCRIBE:
            return await subscriptions.subscribe(sources, request, client)
          case UNSUBSCRIBE:
            return await subscriptions.unsubscribe(request, client)
        }
        return await progress.during(request, client, async (params) =>
          routeRequest(sources, { ...request, params }, client),
        )
      },
      onClientNotification: (method, params) => {
        if (PASSED.has(method)) for (const server of servers) server.notify(method, params)
      },
      watch: (listener, client) => {
        watchers.set(listener, client)
        onClient()
        return () => void watchers.delete(listener)
      },
    },
  }
}

function isSession({ protocolVersion }: ServedClient): boolean {
  return protocolVersion !== STATELESS_VERSION
}

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
