import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Gateway, GatewayClient } from '@toolblocks/mcp-bridge/gateway'
import type { ServedClient, ToolService } from '@toolblocks/mcp-bridge/server'
import { createFailure, type JsonObject } from '@toolblocks/protocol'
import { createQueue } from '@toolblocks/protocol/internal'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { type CreatedService, createService } from './create-service.ts'
import { STATELESS_VERSION } from '../../workspace/servers/share-servers.ts'
import type { OpenedService } from './open-service.ts'
import { createConversationId } from './shared-results.ts'
import { type RecordedConversation, recordConversation } from './recorded-conversation.ts'
import { createClientSessions } from './kept-calls/client-sessions.ts'
import { createProgramPlaces } from './program-places.ts'
import { openRefusalRecord } from './record-refusals.ts'
import { selectStarting, selectVisible } from './clients/client-rights.ts'
import { decideByCallRules } from '../../workspace/consent/create-approver.ts'
import type { ServedTools } from './served-tools.ts'
import { areStarting } from './wait-for-servers.ts'

/** The services of all clients. */
export interface ClientServices {
  /** For a `ToolService`. */
  readonly open: NonNullable<ToolService['open']>
  close(): Promise<void>
}

type OpenedClient = Awaited<
  ReturnType<NonNullable<Extract<OpenedService, { ok: true }>['openClient']>>
>

/** One set of connections, and the service that uses it. */
interface OwnService extends CreatedService {
  /** Tries to open servers again that have failed for it, and waits for a tool that clients are offered. */
  prepare?(called?: string): Promise<void>
  /** Returns the number of servers that it cannot call now, because the next attempt to connect them is later. */
  countLost?(): number
}

/** A client of MCP 2026-07-28: its services, and its conversation. */
interface StatelessClient {
  conversation: RecordedConversation
  services: OwnService[]
  /** Whether calls that run at the same time use connections of their own. */
  isApart: boolean
  /** The services that a call or a request uses. */
  taken: Set<OwnService>
  /** The number of requests that run. */
  requests: number
  timer: NodeJS.Timeout
}

/** What servers can ask of clients that declare it. */
const QUESTIONS = ['elicitation', 'sampling', 'roots']

/** Milliseconds without a request after which what a client without a session has is ended. */
const IDLE_MS = 10 * 60 * 1000

/**
 * Gives each client a service of its own: connections to servers, a conversation, running calls of stateful tools, and a record. A session has one. A
 * client without sessions, known by its credentials and its name, has one conversation, and for each call that runs a set of connections, because
 * servers of earlier versions do not say which call their questions belong to. Over standard streams, the first of them is open already.
 */
export function createClientServices({
  opened,
  warn,
  onEntries,
  isOffered,
  patienceMs,
  stateKey,
  isReplicated = false,
  only,
  rights,
  people,
  onDenied,
  ...options
}: ServedTools): ClientServices {
  const places = createProgramPlaces()
  const sessions = createClientSessions()
  const stateless = new Map<string, Promise<StatelessClient> | StatelessClient>()
  const all = new Set<OwnService>()
  const wasStarting = areStarting(opened.starting)
  const report = (error: unknown): void => warn(String(error))

  /** Whether the first service of the only client is used. */
  let isOnlyTaken = false

  async function openService(
    client: ServedClient,
    conversation: RecordedConversation,
    declared: GatewayClient,
  ): Promise<OwnService> {
    const own = rights?.find(client.identified)
    let gateway: Gateway | undefined
    let tools: OpenedClient | undefined
    let running = 0
    const programPlace = places.join({
      client: conversation.id,
      isBusy: () => running > 0 || created.isBusy() || gateway?.isAwaited() === true,
      rest: async () => await tools?.rest(),
    })
    // A server may change its tools while it is still being opened.
    let isChanged = false
    let renew = (): void => {
      isChanged = true
    }
    /** The last renewal. Tools of a server that has started are offered after it. */
    let renewing = Promise.resolve()
    tools = await opened.openClient?.(declared, {
      onChange: () => renew(),
      admit: programPlace.admit,
      patienceMs,
      wasStarting,
      ...(own?.isRestricted && { sees: own }),
      ...(people && { people: people(client) }),
    })
    gateway = tools?.gateway
    const starting = tools && own ? selectStarting(tools.starting, own) : tools?.starting
    const { id, record, turns, kept, isShared } = conversation
    conversation.services += 1
    const select = (entries: readonly ToolEntry[]): readonly ToolEntry[] =>
      own ? selectVisible(entries, { rights: own, servers: tools?.servers ?? [] }) : entries
    const created = createService(select(tools?.entries ?? opened.entries), {
      ...options,
      ...(own && { decide: decideByCallRules(own.rules, onDenied), limitCall: own.limit }),
      ...(own?.isRestricted && {
        refusals: openRefusalRecord(opened, own, { root: options.root, client }),
      }),
      servers: (tools?.servers ?? []).filter(({ name }) => own?.maySeeServer(name) ?? true),
      record,
      conversation: id,
      turns,
      kept,
      isShared,
      ...(gateway && { gateway }),
      // They were waited for when the connections were opened.
      ...(areStarting(starting) && { starting }),
      ...(client.info && { client: client.info }),
      ...(client.identified && { identified: client.identified }),
      ...(client.address !== undefined && { address: client.address }),
    })
    const inTurn = createQueue()
    const update = async (): Promise<void> =>
      await inTurn(async () => {
        const entries = await tools?.renew()
        if (!entries) return
        created.setEntries(select(entries))
        onEntries?.(entries)
      })
    renew = () => {
      renewing = update().catch(report)
    }
    if (isChanged) renew()
    await renewing

    /** Tries to open servers that have failed for this client again. */
    async function retry({ retry: tryAgain }: OpenedClient): Promise<void> {
      if (await tryAgain()) await update()
    }

    /** As long as a client waits for servers that start. */
    async function retryShortly(servers: OpenedClient): Promise<void> {
      const late = pause(patienceMs, undefined, { ref: false })
      await Promise.race([Promise.all([retry(servers).catch(report), renewing]), late])
    }

    /** Waits until the client has a tool that others are offered, or its servers have failed, those that had failed before once more. */
    async function waitForTool(name: string, servers: OpenedClient): Promise<void> {
      const isThere = (): boolean => service.definitions().some((tool) => tool.name === name)
      const { promise: there, resolve } = Promise.withResolvers<void>()
      const unwatch = service.onDefinitionsChanged?.(() => isThere() && resolve())
      const started = servers.starting.wait().then(update)
      await Promise.race([there, started]).finally(unwatch)
      if (isThere()) await retryShortly(servers)
      else await retry(servers).catch(report)
    }

    async function prepare(called?: string): Promise<void> {
      if (!tools) return
      const isSeen = called !== undefined && (own?.maySee(called) ?? true)
      if (isSeen && isOffered(called)) await waitForTool(called, tools)
      else await retryShortly(tools)
    }

    async function use<Value>(work: () => Promise<Value>): Promise<Value> {
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
        programPlace.touch()
      }
    }

    const { service } = created
    const { callTool, readResource, features } = service
    const opening: OwnService = {
      ...created,
      ...(tools && { prepare, countLost: () => countLost(tools.servers) }),
      service: {
        ...service,
        ...(tools && {
          starting: {
            names: () => starting?.names() ?? [],
            // Those that start were waited for when the connections were opened.
            wait: prepare,
          },
        }),
        callTool: async (...call) => await use(async () => await callTool(...call)),
        ...(readResource && {
          readResource: async (...asked) => await use(async () => await readResource(...asked)),
        }),
        ...(features && {
          features: {
            ...features,
            answer: async (...asked) =>
              await use(async () => {
                if (tools) await retryShortly(tools)
                return await features.answer(...asked)
              }),
          },
        }),
      },
      close: async () => await (closing ??= closeOnce().finally(() => all.delete(opening))),
    }
    let closing: Promise<void> | undefined
    const closeOnce = async (): Promise<void> => {
      programPlace.leave()
      await created.close()
      await tools?.close()
      await created.settled()
      conversation.services -= 1
      if (conversation.services > 0) return
      await kept.close()
      await record.close()
    }
    all.add(opening)
    return opening
  }

  async function openSession(client: ServedClient): ReturnType<ClientServices['open']> {
    if (only) return { ...only.created.service, close: async () => undefined }
    // The process that continues the session reads the results of those before it.
    const id =
      stateKey && isReplicated
        ? createConversationId(stateKey, { identity: client.id })
        : randomUUID()
    const conversation = recordConversation(opened, id, isReplicated, (calls) =>
      sessions.join(client, calls),
    )
    const { service, close } = await openService(client, conversation, client)
    return { ...service, close }
  }

  async function openStateless(client: ServedClient): ReturnType<ClientServices['open']> {
    const { identity, info, capabilities } = client
    // Credentials are the identity. Its name and what it can answer only separate its parts.
    const groups = client.identified?.groups
    const key = JSON.stringify([identity, groups, info?.['name'], capabilities])
    const statelessClient = await find(key, client)
    statelessClient.requests += 1
    const [first] = statelessClient.services
    if (!first) throw new TypeError('a client has at least one service')

    /** Does the work with a service that nothing else uses meanwhile. */
    async function withOwn<Value>(
      work: (own: ToolService) => Promise<Value>,
      called?: string,
    ): Promise<Value> {
      if (!statelessClient.isApart) return await work(service)
      const [free] = statelessClient.services
        .filter((each) => !statelessClient.taken.has(each) && !each.isBusy())
        // After a restart of a server, some of the connections may be open again and others not.
        .toSorted((a, b) => (a.countLost?.() ?? 0) - (b.countLost?.() ?? 0))
      // Taken before anything is awaited, or another call could take it, too.
      if (free) statelessClient.taken.add(free)
      const taken = free ?? (await openMore())
      try {
        // A server may have failed for this service only.
        await taken.prepare?.(called)
        return await work(taken.service)
      } finally {
        statelessClient.taken.delete(taken)
      }
    }

    async function openMore(): Promise<OwnService> {
      const more = await openService(client, statelessClient.conversation, { capabilities })
      statelessClient.taken.add(more)
      statelessClient.services.push(more)
      return more
    }

    const { service } = first
    const { features, readResource } = service
    const hasServers = wasStarting || opened.servers.length > 0 || people !== undefined
    const isOfServer = (name: string): boolean => hasServers && !first.isLocal(name)
    return {
      ...service,
      // Running calls of stateful tools belong to the conversation, so tools of this machine are called through one service.
      callTool: async (call, context, caller) => {
        if (!isOfServer(call.name)) return await service.callTool(call, context, caller)
        return await withOwn(async (own) => await own.callTool(call, context, caller), call.name)
      },
      ...(features && {
        features: {
          ...features,
          answer: async (request, asking) =>
            await withOwn(async (own) => (await own.features?.answer(request, asking)) ?? {}),
        },
      }),
      ...(readResource && {
        readResource: async (uri, signal) => {
          let result = createFailure(`No tool has returned a link to ${JSON.stringify(uri)}.`)
          for (const each of statelessClient.services) {
            result = (await each.service.readResource?.(uri, signal)) ?? result
            if (!result.isError) break
          }
          return result
        },
      }),
      close: async () => {
        statelessClient.requests -= 1
        statelessClient.timer.refresh()
      },
    }
  }

  async function find(key: string, client: ServedClient): Promise<StatelessClient> {
    const known = stateless.get(key)
    if (known) return await known
    const opening = begin(key, client)
    stateless.set(key, opening)
    // The next request tries again.
    opening.catch(() => stateless.delete(key))
    return await opening
  }

  async function begin(key: string, client: ServedClient): Promise<StatelessClient> {
    const { capabilities } = client
    const reused = takeOnly(capabilities)
    const id = stateKey ? createConversationId(stateKey, client) : randomUUID()
    const conversation =
      reused?.conversation ?? recordConversation(opened, id, stateKey !== undefined)
    const first = reused?.service ?? (await openService(client, conversation, { capabilities }))
    const begun: StatelessClient = {
      conversation,
      isApart: !reused || QUESTIONS.some((name) => capabilities[name] !== undefined),
      services: [first],
      taken: new Set(),
      requests: 0,
      timer: setTimeout(() => {
        const isBusy = begun.services.some((each) => each.isBusy())
        if (begun.requests > 0 || isBusy) return void begun.timer.refresh()
        stateless.delete(key)
        for (const each of begun.services) void each.close().catch(() => undefined)
      }, IDLE_MS).unref(),
    }
    return begun
  }

  /** Returns the service that is open already, if nobody uses it, and its servers know the same of the client. */
  function takeOnly(
    capabilities: JsonObject,
  ): { service: OwnService; conversation: RecordedConversation } | undefined {
    if (!only || isOnlyTaken || !isDeepStrictEqual(only.capabilities, capabilities))
      return undefined
    isOnlyTaken = true
    const { created, capabilities: _known, ...conversation } = only
    const close = async (): Promise<void> => {
      isOnlyTaken = false
    }
    // One service more than is closed here: its caller closes the record.
    return { service: { ...created, close }, conversation: { ...conversation, services: 1 } }
  }

  return {
    open: async (client) =>
      client.protocolVersion === STATELESS_VERSION
        ? await openStateless(client)
        : await openSession(client),
    close: async () => {
      sessions.close()
      places.close()
      await Promise.all([...all].map(async (each) => await each.close()))
    },
  }
}

function countLost(servers: OpenedClient['servers']): number {
  return servers.filter(({ state }) => state.kind === 'lost' && state.retryAt > Date.now()).length
}
