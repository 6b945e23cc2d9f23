import type { McpServer } from '@toolblocks/mcp-bridge'
import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  describeProblem,
  type Configuration,
  type ConfigurationProblem,
} from '../../configuration/configuration.ts'
import { EXIT } from '../../exit-codes.ts'
import type { OpenedServerTools } from '../../mcp/open-server-tools.ts'
import { wantedServers } from '../../mcp/wanted-servers.ts'
import type { CachedDescribe } from '../../tools/descriptions/describe-from-cache.ts'
import { openDescriptions } from '../../tools/descriptions/open-descriptions.ts'
import type { LeftOut } from '../../tools/left-out.ts'
import type { OpenedPins } from '../../tools/pins/open-pins.ts'
import type { ResolvedTool } from '../../tools/resolve-tool.ts'
import { resolveTools } from '../../tools/resolve-tools.ts'
import { openWorkspace, type Workspace } from '../../workspace/open-workspace.ts'
import { findWaiting } from '../../workspace/waiting-parts.ts'
import type { CommandContext, SharedOptions } from '../command-context.ts'
import { assembleTools } from './assemble-tools.ts'
import { createRenewal, type RenewTools } from './renew-tools.ts'
import { tellLeft } from './tell-left.ts'

/** A configuration with its tools, or the exit code that says why there are none; that has been told. */
export type OpenedTools =
  | {
      ok: true
      workspace: Workspace
      /** What of the configuration has an effect. */
      configuration: Configuration
      tools: readonly ResolvedTool[]
      entries: readonly ToolEntry[]
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
      renew: RenewTools
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
  const tell = (problem: ConfigurationProblem, kind: 'error' | 'warning'): void =>
    terminal.complain(kind, describeProblem(problem))
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
  const close = async (): Promise<void> => await opened.close()
  if (signal.aborted) {
    await Promise.all([settled(), close()])
    return { ok: false, code: EXIT.cancelled }
  }
  const warnings = [...opened.warnings.map(configuration.locate), ...resolved.warnings]
  for (const warning of warnings) tell(warning, 'warning')
  for (const problem of resolved.problems) tell(problem, 'error')
  if (resolved.problems.length > 0) {
    await Promise.all([settled(), close()])
    return { ok: false, code: EXIT.usage }
  }
  const which = {
    serverNames: written.servers.map(({ name }) => name),
    only,
    // What a folder says of a tool that nobody has agreed to is not written into that folder.
    isRecorded: (tool: string): boolean => named === undefined || isAgreed(workspace, tool),
  }
  const { pins, unusable } = assembleTools(configuration, resolved, opened, which)
  for (const message of pins.warnings) terminal.complain('warning', message)
  const left = [...findWaiting(workspace, only), ...unusable, ...pins.left]
  tellLeft(
    context,
    options.accepts ? left.filter(({ reason }) => reason !== 'changed') : left,
    configuration,
  )
  const { tools } = pins
  return {
    ok: true,
    workspace,
    configuration,
    tools,
    entries: tools.map(({ entry }) => entry),
    names: [
      ...Object.keys(written.configuration.tools),
      ...Object.keys(written.configuration.mcp.tools),
      ...opened.tools.map(({ entry }) => entry.tool.name),
    ],
    servers: opened.servers,
    readers: opened.readers,
    left,
    pins,
    settled,
    renew: createRenewal(context, { configuration, descriptions, opened, which, left, warnings }),
    close,
  }

  /** What speaks MCP is loaded where a server is wanted. */
  async function openWanted({ canAsk = false }: OpenOptions): Promise<OpenedServerTools> {
    const wanted = wantedServers(servers, written.configuration, only)
    if (wanted.length === 0) return NO_SERVERS
    const { openServerTools } = await import('../../mcp/open-server-tools.ts')
    return await openServerTools(wanted, { configuration, hooks: { canAsk }, signal })
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

const NOTHING = { tools: [], left: [], warnings: [] }
const NO_SERVERS: OpenedServerTools = {
  ...NOTHING,
  servers: [],
  readers: [],
  now: () => NOTHING,
  changes: () => 0,
  close: async () => {},
}
