import { fingerprintExecutable, writeCommand } from '@toolblocks/local-executor'
import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  describeProblem,
  type Configuration,
  type ConfigurationProblem,
} from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load-configuration.ts'
import { cacheFile, settingsFile } from '../own-folders.ts'
import { needsDescription } from '../tools/define-tool.ts'
import { createDescribe } from '../tools/descriptions/describe.ts'
import {
  type CachedDescribe,
  createCachedDescribe,
} from '../tools/descriptions/describe-from-cache.ts'
import { openDescriptionCache } from '../tools/descriptions/description-cache.ts'
import { type ResolvedTool, resolveTools } from '../tools/resolve-tools.ts'
import { isTrusted, type TrustOptions } from '../tools/trust/ask-trust.ts'
import { openTrustStore } from '../tools/trust/trust-store.ts'
import type { CommandContext, SharedOptions } from './command-context.ts'

/** A configuration with its tools. */
export interface OpenedTools {
  configuration: Configuration
  tools: readonly ResolvedTool[]
  entries: readonly ToolEntry[]
  /** Names of tools that are configured and cannot be called; why has been told. */
  left: readonly string[]
  /** Waits for programs that are asked in the background; settles with the commands whose answer has changed. */
  settled: CachedDescribe['settled']
}

/** Which tools are wanted, and how their programs may be asked. */
export interface OpenOptions extends SharedOptions, TrustOptions {
  /** Names of tools that a person has typed, which is the yes to start them. Absent: all tools. */
  named?: readonly string[]
  /** Ask every program, whatever is known of it. */
  refresh?: boolean
}

/**
 * Reads the configuration and makes its tools: those without parameters are described by their programs, from the cache
 * where it can be. A tool that cannot be described is told and left out; undefined after other problems were told.
 */
export async function openTools(
  context: CommandContext,
  options: OpenOptions,
): Promise<OpenedTools | undefined> {
  const { terminal, folder } = context
  const tell = (problem: ConfigurationProblem, kind: 'error' | 'warning'): void =>
    terminal.complain(kind, describeProblem(problem))
  const parsed = loadConfiguration(folder, options.config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) tell(problem, 'error')
    return undefined
  }
  const { configuration } = parsed
  for (const warning of parsed.warnings) tell(warning, 'warning')
  const { describe, settled } = createHostDescribe(context, configuration, options)
  const { named } = options
  const resolved = await resolveTools(configuration, { describe, ...(named && { only: named }) })
  for (const warning of resolved.warnings) tell(warning, 'warning')
  const [untrusted, left] = partition(resolved.left, ({ message }) => message === UNTRUSTED)
  for (const problem of [...resolved.problems, ...left]) tell(problem, 'error')
  if (untrusted.length > 0)
    terminal.complain('error', `${untrusted.map(({ tool }) => tool).join(', ')}: ${UNTRUSTED}`)
  if (resolved.problems.length > 0) return undefined
  const { tools } = resolved
  return {
    configuration,
    tools,
    entries: tools.map(({ entry }) => entry),
    left: resolved.left.map(({ tool }) => tool),
    settled,
  }
}

/** Asks programs that are trusted, through the cache of this user. */
function createHostDescribe(
  context: CommandContext,
  configuration: Configuration,
  { named, refresh = false, trust = false }: OpenOptions,
): CachedDescribe {
  const { root, tools } = configuration
  const commands = Object.values(tools)
    .filter(needsDescription)
    .map(({ command }) => writeCommand(command))
  const isAllowed = onceOnly(() =>
    isTrusted(
      { folder: root, commands: [...new Set(commands)] },
      { trust: trust || process.env['TOOLBLOCKS_TRUST'] === '1' },
      { context, store: openTrustStore(settingsFile('trust.json')) },
    ),
  )
  const cached = createCachedDescribe({
    describe: createDescribe({ root, signal: context.signal }),
    cache: openDescriptionCache(cacheFile('descriptions', root)),
    fingerprint: ({ command, env }) => fingerprintExecutable(command, { root, env }),
    onFirst: ({ command }) =>
      context.terminal.note(
        context.terminal.style.dim(`asking ${writeCommand(command)} what it is`),
      ),
    refresh,
  })
  if (named) return cached
  return {
    ...cached,
    describe: async (asked) =>
      (await isAllowed()) ? cached.describe(asked) : { ok: false, message: UNTRUSTED },
  }
}

const UNTRUSTED =
  'left out, because programs would be started to learn what they are, and this folder is not trusted: "toolblocks trust" shows them and asks, --trust or TOOLBLOCKS_TRUST=1 is a yes for one run, and tools with a "parameters" table need no start'

function partition<Item>(
  items: readonly Item[],
  is: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(is), items.filter((item) => !is(item))]
}

function onceOnly<Value>(get: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => (value ??= get())
}
