import type { McpServer, ServerHooks } from '../client/mcp-server.ts'
import type { ServerConfig } from '../client/server-config.ts'
import { createGateway, type Gateway, type GatewayClient } from '../gateway/create-gateway.ts'
import { shareConnection } from '../gateway/share-connection.ts'
import type { ClientService, ServeCall, ToolService } from '../server/tool-service.ts'
import type { RunningHttpService } from '../serve-http.ts'
import type { HttpOptions } from '../server/http-options.ts'
import { STATELESS_VERSION } from '../wire/request-headers.ts'
import { serve } from './served.support.ts'
import { connect, getContext } from './servers.support.ts'

/** A gateway before servers, each client with connections of its own. */
export interface ServedGateway {
  served: RunningHttpService
  /** The connections that all clients share. */
  shared: readonly McpServer[]
}

/** Serves servers through a gateway, with their own names if there is one. `hooks`: further hooks of all connections. */
export async function serveGateway(
  configs: readonly ServerConfig[],
  {
    hooks = {},
    own = 'own',
    isNamed = false,
    ...options
  }: {
    hooks?: ServerHooks
    /** `shared`: the clients have no connections of their own. */
    own?: 'own' | 'shared'
    /** Whether clients see the name of the server. */
    isNamed?: boolean
  } & Partial<HttpOptions> = {},
): Promise<ServedGateway> {
  const connections = configs.map((config) => ({
    config,
    connection: shareConnection(config.name),
  }))
  const template = createGateway({ capabilities: {} })
  const shared = await Promise.all(
    connections.map(async ({ config, connection }) => {
      if (own === 'shared') connection.join(template)
      const gatewayHooks = own === 'shared' ? connection.hooks : template.createHooks(config.name)
      return await connect(config, joinHooks(gatewayHooks, hooks))
    }),
  )
  const [server] = shared
  const openOwn = async (client: GatewayClient): Promise<ClientService> => {
    const gateway = createGateway(client)
    const leave = own === 'shared' ? connections.map((each) => each.connection.join(gateway)) : []
    const servers =
      own === 'shared'
        ? shared
        : await Promise.all(
            configs.map(async (config) =>
              connect(config, joinHooks(gateway.createHooks(config.name), hooks)),
            ),
          )
    return {
      name: 'ours',
      version: '1',
      root: '/w',
      ...createGatewayService(gateway, servers),
      close: async () => {
        for (const stop of leave) stop()
        if (own === 'own') await Promise.all(servers.map(async (each) => await each.close()))
      },
    }
  }
  // A client without a session has a set of connections for each request that runs. They are kept for its next requests until the test ends.
  const kept = new Map<string, ClientService[]>()
  const open: NonNullable<ToolService['open']> = async (client) => {
    if (client.protocolVersion !== STATELESS_VERSION || own === 'shared')
      return await openOwn(client)
    const { capabilities } = client
    const key = JSON.stringify([client.identity, client.info?.['name'], capabilities])
    const free = kept.get(key) ?? []
    kept.set(key, free)
    const service = free.pop() ?? (await openOwn({ capabilities }))
    return { ...service, close: async () => void free.push(service) }
  }
  const service = createGatewayService(template, shared)
  const served = await serve(
    service.callTool,
    {
      ...service,
      open,
      ...(server?.info && {
        info: server.info,
        ...(isNamed && { name: server.info.name, version: server.info.version }),
      }),
      ...(server?.instructions !== undefined && { instructions: server.instructions }),
    },
    options,
  )
  return { served, shared }
}

/** Adds hooks of a test. */
function joinHooks(gatewayHooks: ServerHooks, hooks: ServerHooks): ServerHooks {
  return {
    ...gatewayHooks,
    ...hooks,
    onNotification: (...parameters) => {
      gatewayHooks.onNotification?.(...parameters)
      hooks.onNotification?.(...parameters)
    },
  }
}

function createGatewayService(
  gateway: Gateway,
  servers: readonly McpServer[],
): Pick<ToolService, 'callTool' | 'definitions'> & Required<Pick<ToolService, 'features'>> {
  gateway.setServers(servers)
  const callTool: ServeCall = async (call, { ask, signal, onProgress }) => {
    const tool = servers.flatMap((each) => each.tools()).find(({ name }) => name === call.name)
    if (!tool) throw new Error(`no tool ${call.name}`)
    const context = {
      signal,
      ...(onProgress && { onProgress }),
      ...(ask?.user && { ask: ask.user }),
    }
    return await tool.execute(call, getContext(context))
  }
  return {
    callTool: gateway.during(callTool),
    definitions: () => servers.flatMap((each) => each.tools()),
    features: gateway.features,
  }
}
