import type { ClientIdentity } from '@toolblocks/mcp-bridge/identity'
import type {
  ServedClient,
  ServedFeatures,
  StartingServers,
  ToolService,
} from '@toolblocks/mcp-bridge/server'
import { nameTools } from '@toolblocks/mcp-bridge/internal/names'
import { isJsonObject, type JsonObject, type ToolCall, type ToolResult } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { isRuleOfTool } from '@toolblocks/tool-executor/internal/rules'
import type {
  RightsTable,
  ServeConfiguration,
} from '../../../workspace/configuration/serve-schema.ts'
import type { CallRules } from '../../../workspace/consent/create-approver.ts'
import { placeRules } from '../../../workspace/consent/rule-sources.ts'
import { type CallUsage, createCallUsage } from './call-usage.ts'
import { limitCalls } from './limit-calls.ts'

/** What one person may read and answer. */
export interface ReadingRights {
  /** The conversations that she may read. */
  reads: 'own' | 'all'
  /** The questions and approvals that she may answer. Those of `all` she may read, too. */
  answers: 'own' | 'all' | 'none'
}

/** What one client may do. */
export interface ClientRights extends ReadingRights {
  /** Whether there is something that it may not see. */
  isRestricted: boolean
  /** Whether it may see and call a tool, or see a prompt of the host, with this name. */
  maySee(name: string): boolean
  /** Whether it may see the prompts and resources of a server. */
  maySeeServer(server: string): boolean
  /** The rules about its calls. */
  rules: CallRules
  /** Runs a call, or returns why it may not run now. */
  limit(call: Pick<ToolCall, 'arguments'>, run: () => Promise<ToolResult>): Promise<ToolResult>
}

/** What the clients of a service may do. */
export interface RightsOfClients {
  /** Returns the rights of a client; of one whose identity is not known, those of the service. */
  find(identified: ClientIdentity | undefined): ClientRights
}

/** Reads what clients may do. `rules`: those of the service; `usage` counts their calls, by default those of this process. */
export function readRights(
  { clients = {}, groups = {} }: ServeConfiguration,
  rules: CallRules,
  usage: CallUsage = createCallUsage(),
): RightsOfClients {
  function findTables(identity: ClientIdentity): readonly RightsTable[] {
    const { name, groups: names } = identity
    // A person of an issuer has chosen her name, so it gives her no rights of a client.
    const isClient = identity.id === JSON.stringify(['client', name])
    const own = isClient && Object.hasOwn(clients, name) ? clients[name] : undefined
    const shared = names.flatMap(
      (each) => (Object.hasOwn(groups, each) ? groups[each] : undefined) ?? [],
    )
    return [...(own ? [own] : []), ...shared]
  }

  function findLimiter(
    client: ClientIdentity,
    tables: readonly RightsTable[],
  ): ClientRights['limit'] {
    return limitCalls(usage, client, {
      atATime: Math.min(...tables.map(({ calls_at_a_time: most = Infinity }) => most)),
      aMinute: Math.min(...tables.map(({ calls_a_minute: most = Infinity }) => most)),
      bytesAMinute: Math.min(...tables.map(({ bytes_a_minute: most = Infinity }) => most)),
    })
  }

  return {
    find: (identified) => {
      const tables = identified ? findTables(identified) : []
      if (!identified || tables.length === 0) return { ...ALL, rules }
      const allowed = tables.some(({ allow }) => allow)
        ? tables.flatMap(({ allow = [] }) => allow)
        : ['*']
      const denied = tables.flatMap(({ deny = [] }) => deny)
      const maySee = (name: string): boolean => fits(allowed, name) && !fits(denied, name)
      const own = tables.flatMap((table) => placeRules(table.rules, 'configuration'))
      const typed = rules.rules.filter(({ source }) => source === 'command line')
      const others = rules.rules.filter(({ source }) => source !== 'command line')
      return {
        isRestricted: !allowed.includes('*') || denied.length > 0,
        maySee,
        maySeeServer: (server) => maySee(getPrefix(server)),
        rules: { ...rules, rules: [...typed, ...own, ...others] },
        limit: findLimiter(identified, tables),
        ...readReadingRights(tables),
      }
    },
  }
}

/** Selects the tools that a client may see. The tool that reads links reads those of all servers, so it is for clients that may see each. */
export function selectVisible(
  entries: readonly ToolEntry[],
  { rights, servers }: { rights: ClientRights; servers: readonly { name: string }[] },
): readonly ToolEntry[] {
  const areServersSeen = servers.every(({ name }) => rights.maySeeServer(name))
  return entries.filter(
    ({ tool: { name } }) => rights.maySee(name) && (areServersSeen || name !== READ_RESOURCE),
  )
}

/** Selects the servers that are still starting whose names a client may hear. */
export function selectStarting(
  starting: StartingServers,
  { maySeeServer }: Pick<ClientRights, 'maySeeServer'>,
): StartingServers {
  return { ...starting, names: () => starting.names().filter(maySeeServer) }
}

/** Returns the part of a service that all clients have in common, so that none learns of what it may not see. `open` returns what a client is served. */
export function restrictService(
  service: ToolService,
  rights: RightsOfClients,
  open: NonNullable<ToolService['open']>,
): ToolService {
  return {
    ...service,
    isHidden: (name, { identified }) => !rights.find(identified).maySee(name),
    ...(service.features && { features: hideResources(service.features, rights, open) }),
  }
}

/**
 * The streams of clients of MCP 2026-07-28 are those of the service, which does not know whose a resource is: a restricted client subscribes there to resources that its own servers list.
 * `open` returns what it is served.
 */
export function hideResources(
  features: ServedFeatures,
  rights: RightsOfClients,
  open: NonNullable<ToolService['open']>,
): ServedFeatures {
  return {
    ...features,
    answer: async (request, client) => {
      const isHidden =
        request.method === 'resources/subscribe' &&
        rights.find(client.identified).isRestricted &&
        !(await listsResource(request, client, open))
      if (isHidden) throw new Error('This client cannot subscribe to this resource.')
      return await features.answer(request, client)
    },
  }
}

/** The most pages of a list that are read. */
const MAX_PAGES = 20

/** Whether the resource of a request is in the list that its client gets. */
async function listsResource(
  { params: { uri }, signal }: Parameters<ServedFeatures['answer']>[0],
  client: ServedClient,
  open: NonNullable<ToolService['open']>,
): Promise<boolean> {
  const own = await open(client)
  try {
    let params: JsonObject = {}
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const listed = await own.features?.answer(
        { method: 'resources/list', params, signal },
        client,
      )
      const { resources, nextCursor } = listed ?? {}
      if (
        Array.isArray(resources) &&
        resources.some((each) => isJsonObject(each) && each['uri'] === uri)
      )
        return true
      if (typeof nextCursor !== 'string') return false
      params = { cursor: nextCursor }
    }
    return false
  } finally {
    await own.close()
  }
}

/** The name of the tool that `createReadResourceTool` makes. */
const READ_RESOURCE = 'read_resource'

function fits(patterns: readonly string[], name: string): boolean {
  return patterns.some((tool) => isRuleOfTool({ tool }, name))
}

/** Without a word about it, people read and answer what is their own. */
function readReadingRights(tables: readonly RightsTable[]): ReadingRights {
  const answers = tables.flatMap((table) => table.answers ?? [])
  return {
    reads: tables.some(({ reads }) => reads === 'all') ? 'all' : 'own',
    answers: (['all', 'own', 'none'] as const).find((each) => answers.includes(each)) ?? 'own',
  }
}

const ALL: Omit<ClientRights, 'rules'> = {
  reads: 'own',
  answers: 'own',
  isRestricted: false,
  maySee: () => true,
  maySeeServer: () => true,
  limit: async (_call, run) => await run(),
}

/** Returns what the names of the tools of a server begin with. */
function getPrefix(server: string): string {
  const [name = ''] = nameTools(server, ['x']).values()
  return name.slice(0, -1)
}
