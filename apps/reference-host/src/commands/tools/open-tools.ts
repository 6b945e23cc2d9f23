import type { McpServer } from '@toolblocks/mcp-bridge'
import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  describeProblem,
  type Configuration,
  type ConfigurationProblem,
} from '../../configuration/configuration.ts'
import { loadConfiguration } from '../../configuration/load-configuration.ts'
import { EXIT } from '../../exit-codes.ts'
import type { OpenedServerTools } from '../../mcp/open-server-tools.ts'
import { wantedServers } from '../../mcp/wanted-servers.ts'
import { readWrittenServers, type WrittenServer } from '../../mcp/written-servers.ts'
import type { Describe } from '../../tools/descriptions/describe.ts'
import type { CachedDescribe } from '../../tools/descriptions/describe-from-cache.ts'
import { openDescriptions } from '../../tools/descriptions/open-descriptions.ts'
import type { LeftOut } from '../../tools/left-out.ts'
import type { OpenedPins } from '../../tools/pins/open-pins.ts'
import type { ResolvedTool } from '../../tools/resolve-tool.ts'
import { resolveTools } from '../../tools/resolve-tools.ts'
import { mayStartUnasked } from '../../tools/trust/may-start-unasked.ts'
import type { CommandContext, SharedOptions } from '../command-context.ts'
import { assembleTools } from './assemble-tools.ts'
import { createRenewal, type RenewTools } from './renew-tools.ts'
import { tellLeft } from './tell-left.ts'

/** A configuration with its tools, or the exit code that says why there are none; that has been told. */
export type OpenedTools =
  | {
      ok: true
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
  /** Names of tools that a person has typed, which is the yes to start them. Absent: all tools. */
  named?: readonly string[]
  /** Ask every program, whatever is known of it. */
  refresh?: boolean
  /** `--trust`, or TOOLBLOCKS_TRUST=1: the folder may start what it names, for this one run. */
  trust?: boolean
  /** Tools that are pinned and have changed are not told: the change is about to be accepted. */
  accepts?: boolean
  /** MCP servers may ask during calls. Default: false. */
  canAsk?: boolean
}

/**
 * Reads the configuration and makes its tools: those without parameters are described by their programs, from the cache
 * where it can be. A tool that cannot be described, or may not be, is told and left out.
 */
export async function openTools(
  context: CommandContext,
  options: OpenOptions,
): Promise<OpenedTools> {
  const { terminal, folder, signal } = context
  const tell = (problem: ConfigurationProblem, kind: 'error' | 'warning'): void =>
    terminal.complain(kind, describeProblem(problem))
  const parsed = await loadConfiguration(folder, options.config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) tell(problem, 'error')
    return { ok: false, code: EXIT.usage }
  }
  const { configuration } = parsed
  for (const warning of parsed.warnings) tell(warning, 'warning')
  const descriptions = openDescriptions(context, configuration, options)
  const { describe, findTool, keepTool, settled } = descriptions
  const { named } = options
  const mayStart = once(() => mayStartUnasked(context, configuration, options))
  const written = readWrittenServers(configuration)
  for (const warning of written.warnings) tell(warning, 'warning')
  const [resolved, opened] = await Promise.all([
    resolveTools(configuration, {
      describe: permitted(describe, mayStart),
      known: async () => {
        const isPermitted = await mayStart()
        return { find: isPermitted ? findTool : () => undefined, keep: keepTool }
      },
      ...(named && { only: named }),
    }),
    openWanted(written.servers, { context, configuration, options, mayStart }),
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
  const which = { serverNames: written.servers.map(({ name }) => name), named }
  const { pins, unusable } = assembleTools(configuration, resolved, opened, which)
  for (const message of pins.warnings) terminal.complain('warning', message)
  const left = [...unusable, ...pins.left]
  tellLeft(context, options.accepts ? unusable : left, configuration)
  const { tools } = pins
  return {
    ok: true,
    configuration,
    tools,
    entries: tools.map(({ entry }) => entry),
    names: [
      ...Object.keys(configuration.tools),
      ...Object.keys(configuration.mcp.tools),
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
}

/** What speaks MCP is loaded where a server is wanted. */
async function openWanted(
  servers: readonly WrittenServer[],
  {
    context,
    configuration,
    options,
    mayStart,
  }: {
    context: CommandContext
    configuration: Configuration
    options: OpenOptions
    mayStart: () => Promise<boolean>
  },
): Promise<OpenedServerTools> {
  const wanted = wantedServers(servers, configuration, options.named)
  if (wanted.length === 0) return NO_SERVERS
  const { openServerTools } = await import('../../mcp/open-server-tools.ts')
  const hooks = { canAsk: options.canAsk ?? false }
  return await openServerTools(wanted, { configuration, hooks, mayStart, signal: context.signal })
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

const UNTRUSTED =
  'left out, because programs would be started to learn what they are, and this folder is not trusted: "toolblocks trust" shows them and asks, --trust or TOOLBLOCKS_TRUST=1 is a yes for one run, and tools with a "parameters" table need no start'

function permitted(describe: Describe, mayStart: () => Promise<boolean>): Describe {
  return async (asked) =>
    (await mayStart()) ? describe(asked) : { ok: false, isUntrusted: true, message: UNTRUSTED }
}

/** Asks for permission at most once, before the first program. */
function once(ask: () => Promise<boolean>): () => Promise<boolean> {
  let permission: Promise<boolean> | undefined
  return async () => await (permission ??= ask())
}
