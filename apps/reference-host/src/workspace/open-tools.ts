import type { ConnectOptions, McpServer, ServerHooks } from '@toolblocks/mcp-bridge'
import { createQueue } from '@toolblocks/protocol/internal'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { EXIT } from '../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../terminal/command-context.ts'
import { formatSuggestions } from '../terminal/did-you-mean.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Configuration, describeProblem } from './configuration/configuration.ts'
import { waitAtTerminal } from './locks/wait-at-terminal.ts'
import type { LockWait } from './locks/with-lock.ts'
import { type Workspace, openWorkspace, readConfiguredNames } from './open-workspace.ts'
import type { OpenedServerTools, Sharing } from './servers/open-server-tools.ts'
import type { PersonLogins } from './servers/person-login.ts'
import { selectServers } from './servers/written-servers.ts'
import { type CachedDescribe, openDescriptions } from './tools/describe-tools.ts'
import type { UnavailableTool } from './tools/unavailable-tool.ts'
import { type OpenedPins, openPins } from './consent/pins.ts'
import { listToolParts } from './consent/wants.ts'
import {
  type ResolvedTool,
  type ResolvedTools,
  joinResolved,
  resolveTools,
} from './tools/resolve-tools.ts'
import { findWaiting } from './waiting-parts.ts'

/** A configuration with its tools, or the exit code if it cannot be used. The error is already printed. */
export type OpenedTools =
  | {
      ok: true
      workspace: Workspace
      /** The parts of the configuration that have an effect. */
      configuration: Configuration
      entries: readonly ResolvedTool[]
      /** The names of all tools, also of those that cannot be called. */
      names: readonly string[]
      /** The MCP servers that are connected now. */
      servers: readonly McpServer[]
      /** The MCP servers that are still starting, if `patienceMs` was given. */
      starting: OpenedServerTools['starting']
      /** The tools that read links: `read_resource`, if there are servers. */
      readers: readonly ToolEntry[]
      /** Tools that are configured and cannot be called. The reasons are already printed. */
      left: readonly UnavailableTool[]
      /** The descriptions of the tools, compared with the recorded ones. */
      pins: OpenedPins
      /** Waits for programs that are asked in the background. Settles with the commands whose description has changed. */
      settled: CachedDescribe['settled']
      /** Returns the tools with their current descriptions; `undefined` if nothing has changed since the last call. */
      renew(): Promise<readonly ResolvedTool[] | undefined>
      /** Connects the servers again, for one client alone, and returns its tools. A server that cannot be connected is reported and omitted. */
      openClient(
        options: Pick<
          OpenOptions,
          'hooks' | 'onChange' | 'admit' | 'patienceMs' | 'sharing' | 'people'
        >,
      ): Promise<ClientTools>
      /** As `OpenedServerTools` has it. */
      rest: OpenedServerTools['rest']
      /** As `OpenedServerTools` has it. */
      retry: OpenedServerTools['retry']
      /** Closes the connections to MCP servers. Must be called in every case. */
      close(): Promise<void>
    }
  | { ok: false; code: number }

/** The tools of one client, with its own connections to servers. */
export interface ClientTools extends Pick<
  OpenedServerTools,
  'servers' | 'starting' | 'readers' | 'retry' | 'rest' | 'close'
> {
  entries: readonly ToolEntry[]
  /** As `OpenedTools` has it. */
  renew(): Promise<readonly ToolEntry[] | undefined>
}

/** The tools to open, and how their programs are asked. */
export interface OpenOptions extends SharedOptions {
  /** How a folder without a configuration is handled. Default: `refused`. */
  unconfigured?: 'refused' | 'empty'
  /** Names of the tools to open. Absent: all tools. */
  only?: readonly string[]
  /** Like `only`, for names that a person has typed to call these tools. This agrees to starting them. */
  named?: readonly string[]
  /** Whether every program is asked again, even if its description is cached. */
  refresh?: boolean
  /** Whether the caller accepts changes. Then pinned tools with a changed description are not reported. */
  acceptsChanges?: boolean
  /** Whether MCP servers may ask questions during calls. Default: false. */
  canAsk?: boolean
  /** Called before anything is started. */
  onWorkspace?: (workspace: Workspace) => void
  /** The hooks of MCP servers by their names. Default: only `canAsk`. */
  hooks?: (server: string) => ServerHooks
  /** Called when an MCP server has changed its list of tools; `renew` then returns the current tools. */
  onChange?: () => void
  /** Called before the program of an MCP server is started; see `ConnectOptions`. Default: it is started at once. */
  admit?: ConnectOptions['admit']
  /** Milliseconds that the opening waits for MCP servers; later ones are added. Default: until each has connected or failed. */
  patienceMs?: number
  /** Absent: nobody else uses the connections. */
  sharing?: Sharing
  /** Whose logins servers with `login = "each"` have. Default: those of this user. */
  people?: PersonLogins
}

/**
 * Opens the workspace and creates its tools. Programs describe tools without parameters; descriptions come from the cache if possible. A tool that
 * cannot be described, or that the user has not agreed to, is reported and omitted.
 */
export async function openTools(
  context: CommandContext,
  options: OpenOptions,
): Promise<OpenedTools> {
  const { terminal, signal, telemetry } = context
  const { named, only = named } = options
  const loaded = await openWorkspace(context, options)
  if (!loaded.ok) return loaded
  const { workspace } = loaded
  options.onWorkspace?.(workspace)
  const { configuration, servers, written } = workspace
  const descriptions = openDescriptions(context, configuration, options)
  const { describe, findTool, keepTool, settled } = descriptions
  const [resolved, opened] = await Promise.all([
    resolveTools(configuration, {
      describe,
      known: { find: findTool, keep: keepTool },
      ...(only && { only }),
    }),
    openWanted(options),
  ])
  const { rest, retry, close } = opened
  const refuse = async (code: number): Promise<OpenedTools> => {
    await Promise.all([settled(), close()])
    return { ok: false, code }
  }
  if (signal.aborted) return await refuse(EXIT.cancelled)
  const tellWarnings = createWarner(terminal, configuration)
  tellWarnings([opened, resolved])
  for (const problem of resolved.problems)
    terminal.report('error', describeProblem(configuration.locate(problem)))
  if (resolved.problems.length > 0) return await refuse(EXIT.usage)
  const which: AssembleOptions = {
    serverNames: written.servers.map(({ name }) => name),
    only,
    // The description of a tool that the user has not agreed to is not written into the folder.
    isRecorded: (tool: string): boolean =>
      named === undefined || listToolParts(tool, written).every(workspace.isAgreed),
    wait: waitAtTerminal(context),
  }
  const { pins, left: unusable } = await assembleTools(configuration, resolved, opened, which)
  if (signal.aborted) return await refuse(EXIT.cancelled)
  for (const message of pins.warnings) terminal.report('warning', message)
  const left = [...findWaiting(workspace, only), ...unusable]
  reportUnavailable(
    terminal,
    options.acceptsChanges ? left.filter(({ reason }) => reason !== 'changed') : left,
    configuration,
  )
  return {
    ok: true,
    workspace,
    configuration,
    entries: pins.tools,
    names: [
      ...Object.keys(written.configuration.tools),
      ...Object.keys(written.configuration.mcp.tools),
      ...opened.tools.map(({ tool }) => tool.name),
    ],
    servers: opened.servers,
    starting: opened.starting,
    readers: opened.readers,
    left,
    pins,
    settled,
    renew: createRenewal(terminal, {
      configuration,
      descriptions,
      opened,
      which,
      left,
      tellWarnings,
    }),
    openClient: async (own) => {
      const connected = await openWanted({ ...options, ...own })
      const renew = createRenewal(terminal, {
        configuration,
        descriptions,
        opened: connected,
        which,
        left,
        tellWarnings,
        isClient: true,
      })
      const first = await renew()
      return { ...connected, entries: first ?? pins.tools, renew }
    },
    rest,
    retry,
    close,
  }

  /** Loads the MCP client only if a server is used. */
  async function openWanted({
    canAsk = false,
    hooks = () => ({ canAsk }),
    onChange,
    admit,
    patienceMs,
    sharing,
    people,
  }: OpenOptions): Promise<OpenedServerTools> {
    const wanted = selectServers(servers, written.configuration, only)
    if (wanted.length === 0) return NO_SERVERS
    const { openServerTools } = await import('./servers/open-server-tools.ts')
    return await openServerTools(wanted, {
      configuration,
      hooks,
      signal,
      ...(onChange && { onChange }),
      ...(admit && { admit }),
      ...(patienceMs !== undefined && { patienceMs }),
      ...(sharing && { sharing }),
      ...(people && { people }),
      telemetry,
    })
  }
}

/** Prints each warning once, even if tools are created again. */
function createWarner(
  terminal: Terminal,
  { locate }: Configuration,
): (resolved: readonly ResolvedTools[]) => void {
  const reported = new Set<string>()
  return (resolved) => {
    for (const warning of joinResolved(resolved).warnings.map(locate).map(describeProblem)) {
      if (!reported.has(warning)) terminal.report('warning', warning)
      reported.add(warning)
    }
  }
}

const NOTHING: ResolvedTools = { tools: [], left: [], warnings: [], problems: [] }

const NO_SERVERS: OpenedServerTools = {
  ...NOTHING,
  servers: [],
  starting: { names: () => [], wait: async () => {} },
  readers: [],
  now: async () => NOTHING,
  changes: () => 0,
  retry: async () => false,
  rest: async () => {},
  close: async () => {},
}

/** The tools to open, and which descriptions may be recorded. */
interface AssembleOptions {
  serverNames: readonly string[]
  only: readonly string[] | undefined
  isRecorded(tool: string): boolean
  /** How the file with the pins is waited for. */
  wait: LockWait
}

/** Combines the tools of programs and of servers, and compares them with their pins. */
async function assembleTools(
  configuration: Configuration,
  local: ResolvedTools,
  offered: ResolvedTools,
  { serverNames, only, ...recording }: AssembleOptions,
): Promise<{ pins: OpenedPins; left: readonly UnavailableTool[] }> {
  // Problems of a server are kept if one of its tools is used. Problems of its tools are kept only for tools that are used.
  const isWanted = (name: string): boolean => only?.includes(name) ?? true
  const wanted = offered.tools.filter(({ tool }) => isWanted(tool.name))
  const lost = offered.left.filter(({ tool, path }) => path[0] !== 'tools' || isWanted(tool))
  const strays = findToolsWithoutServer(configuration, serverNames, only)
  const pins = await openPins(configuration, [...local.tools, ...wanted], {
    readConfigured: async () => await readConfiguredNames(configuration),
    ...recording,
  })
  return { pins, left: [...local.left, ...strays, ...lost, ...pins.left] }
}

/** Returns the tables of tools whose server is not configured. */
function findToolsWithoutServer(
  { mcp }: Pick<Configuration, 'mcp'>,
  servers: readonly string[],
  named: readonly string[] | undefined,
): readonly UnavailableTool[] {
  return Object.entries(mcp.tools).flatMap(([tool, { server }]) => {
    if (servers.includes(server) || named?.includes(tool) === false) return []
    const message = `no server ${JSON.stringify(server)} is configured${formatSuggestions(server, servers, 'there is')}`
    return [{ tool, reason: 'undescribed', path: ['tools', tool, 'source'], message }]
  })
}

/** Prints which tools cannot be called. Tools that wait for the same reason are in one message, because one decision is enough for all. */
function reportUnavailable(
  terminal: Terminal,
  left: readonly UnavailableTool[],
  { locate }: Configuration,
): void {
  const waiting = left.filter(({ reason }) => reason === 'waiting')
  for (const each of left) {
    const problem =
      each.file === undefined
        ? locate(each)
        : { ...each, key: each.path.join('.'), file: each.file }
    if (each.reason !== 'waiting') terminal.report('error', describeProblem(problem))
  }
  for (const [message, tools] of Map.groupBy(waiting, (each) => each.message))
    terminal.report('error', `${tools.map(({ tool }) => tool).join(', ')}: ${message}`)
}

/** The values that tools are created from. */
interface RenewalOptions {
  configuration: Configuration
  descriptions: CachedDescribe
  opened: Pick<OpenedServerTools, 'now' | 'changes'>
  which: AssembleOptions
  /** The omitted tools that were already reported. */
  left: readonly UnavailableTool[]
  tellWarnings: ReturnType<typeof createWarner>
  /** Whether the servers are connected for one client, whose tools nobody has read yet. Default: false. */
  isClient?: boolean
}

/**
 * Creates the update for a host that runs for long. It uses descriptions that programs gave in the background and current lists of servers. It
 * starts no program.
 */
function createRenewal(
  terminal: Terminal,
  {
    configuration,
    descriptions,
    opened,
    which,
    left: first,
    tellWarnings,
    isClient = false,
  }: RenewalOptions,
): Extract<OpenedTools, { ok: true }>['renew'] {
  const inTurn = createQueue()
  let known: number | undefined = isClient ? undefined : 0
  let unavailable = first
  async function renew(): Promise<readonly ResolvedTool[] | undefined> {
    const changes = descriptions.changes() + opened.changes()
    if (changes === known) return undefined
    known = changes
    const { only } = which
    const local = await resolveTools(configuration, {
      describe: async (asked) => descriptions.recall(asked) ?? NOT_ASKED,
      ...(only && { only }),
    })
    const offered = await opened.now()
    tellWarnings([local, offered])
    const { pins, left } = await assembleTools(configuration, local, offered, which)
    const old = new Set(unavailable.map(({ tool, reason }) => `${reason} ${tool}`))
    const isNew = ({ tool, reason }: UnavailableTool): boolean =>
      !old.has(`${reason} ${tool}`) && !old.has(`waiting ${tool}`)
    reportUnavailable(terminal, left.filter(isNew), configuration)
    unavailable = left
    return pins.tools
  }
  // A renewal that waits must not end after a later one, whose tools are newer.
  return async () => await inTurn(renew)
}

/** The description of a program that was not allowed to start. The reason is already printed. */
const NOT_ASKED = { ok: false, message: 'it was not asked for its description' } as const
