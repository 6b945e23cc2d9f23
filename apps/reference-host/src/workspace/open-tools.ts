import type { McpServer } from '@toolblocks/mcp-bridge'
import type { ToolEntry } from '@toolblocks/tool-executor'
import { EXIT } from '../process/exit-codes.ts'
import type { CommandContext, SharedOptions } from '../terminal/command-context.ts'
import { didYouMeanOneOf } from '../terminal/did-you-mean.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Configuration, describeProblem } from './configuration/configuration.ts'
import { type Workspace, openWorkspace } from './open-workspace.ts'
import type { OpenedServerTools } from './servers/open-server-tools.ts'
import { wantedServers } from './servers/written-servers.ts'
import { type CachedDescribe, openDescriptions } from './tools/describe-tools.ts'
import type { LeftOut } from './tools/left-out.ts'
import { type OpenedPins, openPins } from './tools/pins.ts'
import {
  type ResolvedTool,
  type ResolvedTools,
  joinResolved,
  resolveTools,
} from './tools/resolve-tools.ts'
import { findWaiting } from './waiting-parts.ts'

/** A configuration with its tools, or the exit code that says why there are none; that has been told. */
export type OpenedTools =
  | {
      ok: true
      workspace: Workspace
      /** What of the configuration has an effect. */
      configuration: Configuration
      entries: readonly ResolvedTool[]
      /** What tools can be named, also those that cannot be called. */
      names: readonly string[]
      /** MCP servers that are connected. */
      servers: readonly McpServer[]
      /** What a host offers beside the tools: `read_resource`, where there are servers. */
      readers: readonly ToolEntry[]
      /** Tools that are configured and cannot be called; why has been told. */
      left: readonly LeftOut[]
      /** What tools say of themselves, held against what is recorded. */
      pins: OpenedPins
      /** Waits for programs that are asked in the background; settles with the commands whose answer has changed. */
      settled: CachedDescribe['settled']
      /** The tools as their programs and servers describe them by now; `undefined` where that has not changed since it was asked. */
      renew(): Promise<readonly ResolvedTool[] | undefined>
      /** Ends the connections to MCP servers; to be called in any case. */
      close(): Promise<void>
    }
  | { ok: false; code: number }

/** Which tools are wanted, and how their programs may be asked. */
export interface OpenOptions extends SharedOptions {
  /** What becomes of a folder without a configuration. Default: `refused`. */
  unconfigured?: 'refused' | 'empty'
  /** Names of the tools that are wanted. Absent: all tools. */
  only?: readonly string[]
  /** The same, where a person has typed the names to call these tools, which is the yes to start them. */
  named?: readonly string[]
  /** Ask every program, whatever is known of it. */
  refresh?: boolean
  /** Tools that are pinned and have changed are not told: the change is about to be accepted. */
  accepts?: boolean
  /** MCP servers may ask during calls. Default: false. */
  canAsk?: boolean
}

/**
 * Opens the workspace and makes its tools: those without parameters are described by their programs, from the cache where it can be. A
 * tool that cannot be described, or that waits for agreement, is told and left out.
 */
export async function openTools(
  context: CommandContext,
  options: OpenOptions,
): Promise<OpenedTools> {
  const { terminal, signal } = context
  const { named, only = named } = options
  const loaded = await openWorkspace(context, options)
  if (!loaded.ok) return loaded
  const { workspace } = loaded
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
  const { close } = opened
  const refuse = async (code: number): Promise<OpenedTools> => {
    await Promise.all([settled(), close()])
    return { ok: false, code }
  }
  if (signal.aborted) return await refuse(EXIT.cancelled)
  const tellWarnings = createWarner(terminal, configuration)
  tellWarnings([opened, resolved])
  for (const problem of resolved.problems)
    terminal.complain('error', describeProblem(configuration.locate(problem)))
  if (resolved.problems.length > 0) return await refuse(EXIT.usage)
  const which = {
    serverNames: written.servers.map(({ name }) => name),
    only,
    // What a folder says of a tool that nobody has agreed to is not written into that folder.
    isRecorded: (tool: string): boolean => named === undefined || isAgreed(workspace, tool),
  }
  const { pins, left: unusable } = assembleTools(configuration, resolved, opened, which)
  for (const message of pins.warnings) terminal.complain('warning', message)
  const left = [...findWaiting(workspace, only), ...unusable]
  tellLeft(
    terminal,
    options.accepts ? left.filter(({ reason }) => reason !== 'changed') : left,
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
    close,
  }

  /** What speaks MCP is loaded where a server is wanted. */
  async function openWanted({ canAsk = false }: OpenOptions): Promise<OpenedServerTools> {
    const wanted = wantedServers(servers, written.configuration, only)
    if (wanted.length === 0) return NO_SERVERS
    const { openServerTools } = await import('./servers/open-server-tools.ts')
    return await openServerTools(wanted, { configuration, hooks: { canAsk }, signal })
  }
}

/** Tells each warning once, however often tools are made anew. */
function createWarner(
  terminal: Terminal,
  { locate }: Configuration,
): (resolved: readonly ResolvedTools[]) => void {
  const told = new Set<string>()
  return (resolved) => {
    for (const warning of joinResolved(resolved).warnings.map(locate).map(describeProblem)) {
      if (!told.has(warning)) terminal.complain('warning', warning)
      told.add(warning)
    }
  }
}

/** Whether the parts that a tool consists of were agreed to. */
function isAgreed({ isAgreed: isPartAgreed, written }: Workspace, tool: string): boolean {
  const { configuration, servers } = written
  return (
    isPartAgreed(`tool ${tool}`) &&
    wantedServers(servers, configuration, [tool]).every(({ name }) =>
      isPartAgreed(`server ${name}`),
    )
  )
}

const NOTHING: ResolvedTools = { tools: [], left: [], warnings: [], problems: [] }

const NO_SERVERS: OpenedServerTools = {
  ...NOTHING,
  servers: [],
  readers: [],
  now: () => NOTHING,
  changes: () => 0,
  close: async () => {},
}

/** Which tools are wanted, and of which it may be recorded what they say of themselves. */
interface AssembleOptions {
  serverNames: readonly string[]
  only: readonly string[] | undefined
  isRecorded(tool: string): boolean
}

/** Puts the tools of programs and those of servers together, and holds them against what is recorded. */
function assembleTools(
  configuration: Configuration,
  local: ResolvedTools,
  offered: ResolvedTools,
  { serverNames, only, isRecorded }: AssembleOptions,
): { pins: OpenedPins; left: readonly LeftOut[] } {
  // A server that a wanted tool needs matters as a whole; of its tools, only the wanted ones do.
  const isWanted = (name: string): boolean => only?.includes(name) ?? true
  const found = offered.tools.filter(({ tool }) => isWanted(tool.name))
  const lost = offered.left.filter(({ tool, path }) => path[0] !== 'tools' || isWanted(tool))
  const strays = leaveStrays(configuration, serverNames, only)
  const pins = openPins(configuration, [...local.tools, ...found], {
    servers: serverNames,
    isRecorded,
  })
  return { pins, left: [...local.left, ...strays, ...lost, ...pins.left] }
}

/** Tables of tools whose server is nowhere. */
function leaveStrays(
  { mcp }: Pick<Configuration, 'mcp'>,
  servers: readonly string[],
  named: readonly string[] | undefined,
): readonly LeftOut[] {
  return Object.entries(mcp.tools).flatMap(([tool, { server }]) => {
    if (servers.includes(server) || named?.includes(tool) === false) return []
    const message = `no server ${JSON.stringify(server)} is configured${didYouMeanOneOf(server, servers, 'there is')}`
    return [{ tool, reason: 'undescribed', path: ['tools', tool, 'source'], message }]
  })
}

/** Tells which tools cannot be called. Those that wait for agreement are told together: one yes is for all of them. */
function tellLeft(terminal: Terminal, left: readonly LeftOut[], { locate }: Configuration): void {
  const waiting = left.filter(({ reason }) => reason === 'waiting')
  for (const each of left) {
    const place =
      each.file === undefined
        ? locate(each)
        : { ...each, key: each.path.join('.'), file: each.file }
    if (each.reason !== 'waiting') terminal.complain('error', describeProblem(place))
  }
  const [first] = waiting
  if (first)
    terminal.complain('error', `${waiting.map(({ tool }) => tool).join(', ')}: ${first.message}`)
}

/** What tools were made of. */
interface MadeOf {
  configuration: Configuration
  descriptions: CachedDescribe
  opened: Pick<OpenedServerTools, 'now' | 'changes'>
  which: AssembleOptions
  /** What was told to be left out. */
  left: readonly LeftOut[]
  tellWarnings: ReturnType<typeof createWarner>
}

/** For a host that lives long: programs are asked again in the background, and servers list their tools anew. No program is started for it. */
function createRenewal(
  terminal: Terminal,
  { configuration, descriptions, opened, which, left: first, tellWarnings }: MadeOf,
): Extract<OpenedTools, { ok: true }>['renew'] {
  let known = 0
  let told = first
  return async () => {
    const changes = descriptions.changes() + opened.changes()
    if (changes === known) return undefined
    known = changes
    const { only } = which
    const local = await resolveTools(configuration, {
      describe: async (asked) => descriptions.recall(asked) ?? NOT_ASKED,
      ...(only && { only }),
    })
    const offered = opened.now()
    tellWarnings([local, offered])
    const { pins, left } = assembleTools(configuration, local, offered, which)
    const old = new Set(told.map(({ tool, reason }) => `${reason} ${tool}`))
    const isNew = ({ tool, reason }: LeftOut): boolean =>
      !old.has(`${reason} ${tool}`) && !old.has(`waiting ${tool}`)
    tellLeft(terminal, left.filter(isNew), configuration)
    told = left
    return pins.tools
  }
}

/** Of a program that was not let start: why has been told. */
const NOT_ASKED = { ok: false, message: 'it was not asked what it is' } as const
