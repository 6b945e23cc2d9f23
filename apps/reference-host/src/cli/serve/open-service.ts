import { setImmediate } from 'node:timers/promises'
import type { ConversationStore } from '@toolblocks/conversation-store'
import type { McpServer } from '@toolblocks/mcp-bridge'
import type { Gateway, GatewayClient, LocalFeatures } from '@toolblocks/mcp-bridge/gateway'
import type { StartingServers } from '@toolblocks/mcp-bridge/server'
import { MAX_RESULT_LENGTH } from '@toolblocks/protocol/internal'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { CommandContext } from '../../terminal/command-context.ts'
import { chooseStore, isOfSeveralMachines } from '../../workspace/store/choose-store.ts'
import {
  DEFER_ABOVE,
  deferAbove,
  maxResultLength,
  questionExpiry,
} from '../../workspace/configuration/agent-settings.ts'
import { type Configuration, describeProblem } from '../../workspace/configuration/configuration.ts'
import {
  createNotifier,
  type QuestionNotifier,
} from '../../workspace/questions/notify-questions.ts'
import { unconfigured } from '../../workspace/configuration/load-configuration.ts'
import type { UserSettings } from '../../workspace/configuration/user-settings-schema.ts'
import { placeSettingsRule, readUserSettings } from '../../workspace/configuration/user-settings.ts'
import {
  type CallRules,
  hashDefinition,
  hashTool,
  openCallRules,
} from '../../workspace/consent/create-approver.ts'
import {
  type PlacedRule,
  placeRules,
  readTypedRules,
} from '../../workspace/consent/rule-sources.ts'
import type { NamedTools } from '../../workspace/consent/unfit-rules.ts'
import { NO_STORE, openServedRecords, UNRECORDED } from './served-records.ts'
import { openRecords } from '../../workspace/conversations/record-call.ts'
import { type ClientTools, openTools } from '../../workspace/open-tools.ts'
import type { SharedServers } from '../../workspace/servers/share-servers.ts'
import {
  reportWaitingFeatures,
  reportWaitingRules,
  reportWaitingStore,
} from '../../workspace/waiting-parts.ts'
import type { LoginNeeds } from './logins/open-service-logins.ts'
import type { ClientRights } from './clients/client-rights.ts'
import type { ServiceOptions } from './create-service.ts'
import { describeWaiting } from './describe-waiting.ts'
import { openLocalFeatures, selectLocal } from './local-features.ts'
import { openPrograms } from './open-programs.ts'
import type { ConnectionOptions } from './open-typed-servers.ts'
import { refuse } from '../../terminal/refuse.ts'
import { watchRequiredServers } from './required-servers.ts'
import { getServerWords, type ServeCommandOptions } from './serve-options.ts'
import { areStarting } from './wait-for-servers.ts'

/** What a service offers, or the exit code if it cannot be opened. The error was already reported. */
export type OpenedService =
  | ({
      ok: true
      entries: readonly ToolEntry[]
      /** Returns the current tools after a change of a server; `undefined` if nothing has changed. */
      renew?(): Promise<readonly ToolEntry[] | undefined>
      /** The servers that are still starting. Absent: there are no servers. */
      starting?: StartingServers
      /** Connects the servers again, for one client alone. Absent: there are no servers. */
      openClient?(
        client: GatewayClient,
        connections: ClientConnections,
      ): Promise<ClientTools & { gateway: Gateway }>
      /** Ends the connections of the service itself until their next use, except those that clients share. */
      rest?(): Promise<void>
      /** Returns what is missing while a required server is not connected. Absent: none is required. */
      findMissing?: () => Promise<string | undefined>
      /** The rules about its calls. */
      rules: CallRules
      /** Returns what is known of tools that are not offered now. */
      ruled(): Omit<NamedTools, 'entries'>
      /** Begins the record of one client. */
      beginRecord(conversation: string): ServiceOptions['record']
      /** The store of the records. Absent if nothing is recorded. */
      store?: ConversationStore
      /** Whether tokens of clients are in the store. Absent: they are not. */
      hasStoredTokens?: boolean
      close(): Promise<void>
      configurationFile?: string
      /** The name of the only server that was typed. */
      name?: string
    } & Pick<LoginNeeds, 'serve' | 'personal'> &
      Omit<
        ServiceOptions,
        'version' | 'approval' | 'record' | 'conversation' | 'starting' | 'decide'
      >)
  | { ok: false; code: number }

/** What is called about the connections of one client. */
type ClientConnections = Omit<ConnectionOptions, 'hooks' | 'sharing'> & {
  /** Whether the client was told that it may ask for everything, because servers were still starting. */
  wasStarting: boolean
  /** What the client may see. Absent: everything. */
  sees?: Pick<ClientRights, 'maySee' | 'maySeeServer'>
}

/** For whom connections are opened, what is called about them, and how long they are waited for. */
interface ServiceConnection extends Omit<ConnectionOptions, 'hooks' | 'sharing' | 'admit'> {
  client: GatewayClient
  /** The connections that all clients use. Absent: there is one client. */
  shared?: SharedServers
}

/** Serves the servers that were named, as one server. */
export async function openNamedServers(
  context: CommandContext,
  options: ServeCommandOptions,
  { client, shared, ...connections }: ServiceConnection,
): Promise<OpenedService> {
  const { openTypedServers } = await import('./open-typed-servers.ts')
  const { toAbsoluteServer } = await import('../../workspace/servers/server-address.ts')
  const { createGateway } = await import('@toolblocks/mcp-bridge/gateway')
  const own = await readOwnRules(context, options)
  if (!own.ok) return own
  const written = unconfigured(context.folder)
  const chosen = chooseStore({ written, isAgreed: true, settings: own.settings })
  const store = options.record === false ? NO_STORE : chosen
  const asking = { canAsk: () => options.park !== false && store.kind !== 'none' }
  const gateway = createGateway(client, asking)
  const opening = openTypedServers(context, options, {
    hooks: gateway.createHooks,
    ...(shared && { sharing: { gateway, shared } }),
    ...connections,
  })
  void loadMeanwhile()
  const opened = await opening
  if (!opened.ok) return opened
  const { entries, servers, names, starting, identity, renew, openClient, rest, close } = opened
  const connect = (): void => gateway.setServers(servers, { isStarting: areStarting(starting) })
  connect()
  const warn = (message: string): void => context.terminal.report('warning', message)
  const [only, ...others] = names
  const [first] = servers
  const info = others.length === 0 ? first?.info : undefined
  const typed = (options.server ?? []).map((text) => toAbsoluteServer(text, context.folder))
  const instructions = servers.flatMap((server) => server.instructions ?? [])
  const serverArgs = getServerWords({ ...options, server: typed })
  return {
    ok: true,
    entries,
    servers,
    starting,
    gateway,
    ...(info && { identity: { ...info } }),
    ...(only !== undefined && others.length === 0 && { name: only }),
    scope: JSON.stringify(serverArgs),
    ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
    ...(await openServedRecords(store, {
      warn,
      isMasked: options.maskSecrets === true,
      close,
    })),
    root: context.folder,
    rules: openCallRules({
      root: identity,
      folder: context.folder,
      rules: own.rules,
      describeTool: (entry) => hashTool(entry, [identity]),
    }),
    ruled: () => ({ servers: findMissing(names, opened.servers) }),
    deferAbove: options.deferAbove ?? DEFER_ABOVE,
    maxResult: MAX_RESULT_LENGTH,
    renew: async () => {
      connect()
      return await renew()
    },
    openClient: async (gatewayClient, about) =>
      await connectClient(createGateway(gatewayClient, asking), about, {
        open: openClient,
        shared,
      }),
    rest,
  }
}

/** Reads the settings of the user, and the rules that count without a configuration. */
async function readOwnRules(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { rules }: Pick<ServeCommandOptions, 'rules'>,
): Promise<
  { ok: true; settings: UserSettings; rules: readonly PlacedRule[] } | { ok: false; code: number }
> {
  const typed = readTypedRules(rules)
  if (!typed.ok) return { ok: false, code: refuse(terminal, [typed.message]) }
  const user = await readUserSettings()
  if (!user.ok) return { ok: false, code: refuse(terminal, user.problems.map(describeProblem)) }
  const { settings } = user
  const own = placeRules(settings.approvals?.rules, 'settings', placeSettingsRule)
  return { ok: true, settings, rules: [...typed.rules, ...own] }
}

/** Loads, while the programs of servers start, what is needed afterwards. What cannot be loaded is reported where it is used. */
async function loadMeanwhile(): Promise<void> {
  // The programs are started first.
  await setImmediate()
  await Promise.allSettled([
    import('@toolblocks/mcp-bridge/server'),
    import('@toolblocks/conversation-store'),
    import('./mask-record.ts'),
  ])
}

/** Connects the servers for one client, and gives its gateway those that connect later. */
async function connectClient(
  gateway: Gateway,
  { wasStarting, sees, ...about }: ClientConnections,
  {
    open,
    local,
    shared,
  }: {
    open: (options: ConnectionOptions) => Promise<ClientTools>
    shared: SharedServers | undefined
    local?: LocalFeatures | undefined
  },
): Promise<ClientTools & { gateway: Gateway }> {
  if (wasStarting) gateway.setServers([], { isStarting: true })
  const tools = await open({
    hooks: gateway.createHooks,
    ...(shared && { sharing: { gateway, shared } }),
    ...about,
  })
  const connect = (): void =>
    gateway.setServers(
      tools.servers.filter(({ name }) => sees?.maySeeServer(name) ?? true),
      {
        local: sees && local ? selectLocal(local, sees) : local,
        isStarting: areStarting(tools.starting),
      },
    )
  connect()
  return {
    ...tools,
    gateway,
    renew: async () => {
      connect()
      return await tools.renew()
    },
  }
}

/** Serves the programs that were named. */
export async function openNamedPrograms(
  context: CommandContext,
  programs: readonly string[],
  options: ServeCommandOptions,
): Promise<OpenedService> {
  const { folder, signal, terminal, command } = context
  const own = await readOwnRules(context, options)
  if (!own.ok) return own
  const opened = await openPrograms(programs, {
    folder,
    signal,
    command,
    tell: (message) => terminal.report('warning', message),
  })
  if (!opened.ok) return { ok: false, code: refuse(terminal, opened.messages) }
  return {
    ok: true,
    entries: opened.entries,
    root: folder,
    // No command stores a rule for programs that are not configured. Those of the folder that ask or deny count.
    rules: openCallRules({ root: folder, rules: own.rules, describeTool: () => '' }),
    ruled: () => ({}),
    servers: [],
    ...UNRECORDED,
    close: async () => {},
  }
}

/** Serves the tools of the configuration. */
export async function openConfigured(
  context: CommandContext,
  options: ServeCommandOptions,
  { client, shared, ...connections }: ServiceConnection,
): Promise<OpenedService> {
  const { createGateway } = await import('@toolblocks/mcp-bridge/gateway')
  const typed = readTypedRules(options.rules)
  if (!typed.ok) return { ok: false, code: refuse(context.terminal, [typed.message]) }
  let hasStore = false
  const asking = { canAsk: () => options.park !== false && hasStore }
  const gateway = createGateway(client, asking)
  const opened = await openTools(context, {
    ...options,
    onWorkspace: ({ store }) => (hasStore = store.kind === 'written'),
    hooks: gateway.createHooks,
    ...(shared && { sharing: { gateway, shared } }),
    ...connections,
  })
  if (!opened.ok) return opened
  const { entries, readers, servers, starting, configuration, workspace, left } = opened
  const serverNames = workspace.written.servers.map(({ name }) => name)
  const warn = (message: string): void => context.terminal.report('warning', message)
  const local = openLocalFeatures(configuration, warn)
  const connect = (): void =>
    gateway.setServers(servers, { local, isStarting: areStarting(starting) })
  connect()
  reportWaitingStore(workspace, warn)
  reportWaitingRules(workspace, warn)
  reportWaitingFeatures(workspace, warn)
  const records = await openRecords(workspace.store, warn)
  const notifier = openNotifier(context, configuration)
  return {
    ok: true,
    entries: addReaders(entries, readers),
    servers,
    starting,
    gateway,
    renew: async () => {
      connect()
      const current = await opened.renew()
      return current && addReaders(current, readers)
    },
    openClient: async (gatewayClient, about) => {
      const { openClient: open } = opened
      const tools = await connectClient(createGateway(gatewayClient, asking), about, {
        open,
        local,
        shared,
      })
      return {
        ...tools,
        entries: addReaders(tools.entries, tools.readers),
        renew: async () => {
          const current = await tools.renew()
          return current && addReaders(current, tools.readers)
        },
      }
    },
    ...watchRequiredServers(workspace.written.servers, opened),
    maxResult: maxResultLength(configuration),
    ...describeWaiting(left, configuration.root),
    ...(records.store && { store: records.store }),
    hasStoredTokens: isOfSeveralMachines(workspace.store),
    beginRecord: records.begin,
    root: configuration.root,
    rules: openCallRules({
      root: configuration.root,
      rules: [...typed.rules, ...workspace.rules],
      describeTool: (entry) => hashDefinition(entry, workspace),
    }),
    ruled: () => ({ names: opened.names, servers: findMissing(serverNames, opened.servers) }),
    describeTool: (entry) => hashDefinition(entry, workspace),
    waiting: {
      expireMs: questionExpiry(configuration),
      folder: configuration.root,
      ...(notifier && { notify: notifier.notify }),
    },
    ...(configuration.format.error_trace !== undefined && {
      errorTrace: configuration.format.error_trace,
    }),
    deferAbove: options.deferAbove ?? deferAbove(configuration),
    configurationFile: configuration.file,
    personal: workspace.servers.filter(({ own }) => own.login === 'each'),
    serve: configuration.serve ?? (workspace.written.configuration.serve && 'waiting'),
    close: async () => {
      await Promise.all([opened.settled(), opened.close()])
      await records.close()
      for (const failure of (await notifier?.close()) ?? []) warn(`[questions] notify: ${failure}`)
    },
  }
}

/** Opens the program that tells a person about questions that wait. The conversation of a question is the record of its client. */
function openNotifier(
  { signal }: Pick<CommandContext, 'signal'>,
  { questions, root }: Pick<Configuration, 'questions' | 'root'>,
): QuestionNotifier | undefined {
  const { notify: command } = questions ?? {}
  return (
    command &&
    createNotifier({ command, root, conversation: (question) => question.conversation, signal })
  )
}

/** Returns the names of the servers that are not connected. */
function findMissing(
  names: readonly string[],
  servers: readonly Pick<McpServer, 'name'>[],
): readonly string[] {
  return names.filter((name) => !servers.some((server) => server.name === name))
}

/** Adds the tools that read links, unless a tool has the same name. */
function addReaders(
  entries: readonly ToolEntry[],
  readers: readonly ToolEntry[],
): readonly ToolEntry[] {
  const names = new Set(entries.map(({ tool }) => tool.name))
  return [...entries, ...readers.filter(({ tool }) => !names.has(tool.name))]
}
