import type { ToolEntry } from '@toolblocks/tool-executor'
import {
  describeProblem,
  type Configuration,
  type ConfigurationProblem,
} from '../../configuration/configuration.ts'
import { loadConfiguration } from '../../configuration/load-configuration.ts'
import { EXIT } from '../../exit-codes.ts'
import { settingsFile } from '../../own-folders.ts'
import type { Describe } from '../../tools/descriptions/describe.ts'
import type { CachedDescribe } from '../../tools/descriptions/describe-from-cache.ts'
import { openDescriptions } from '../../tools/descriptions/open-descriptions.ts'
import type { LeftOut } from '../../tools/left-out.ts'
import { openPins, type OpenedPins } from '../../tools/pins/open-pins.ts'
import type { ResolvedTool } from '../../tools/resolve-tool.ts'
import { resolveTools } from '../../tools/resolve-tools.ts'
import { isTrusted, startedUnasked } from '../../tools/trust/ask-trust.ts'
import { openTrustStore } from '../../tools/trust/trust-store.ts'
import type { CommandContext, SharedOptions } from '../command-context.ts'

/** A configuration with its tools, or the exit code that says why there are none; that has been told. */
export type OpenedTools =
  | {
      ok: true
      configuration: Configuration
      tools: readonly ResolvedTool[]
      entries: readonly ToolEntry[]
      /** Tools that are configured and cannot be called; why has been told. */
      left: readonly LeftOut[]
      /** What tools say of themselves, held against what is recorded. */
      pins: OpenedPins
      /** Waits for programs that are asked in the background; settles with the commands whose answer has changed. */
      settled: CachedDescribe['settled']
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
  const parsed = loadConfiguration(folder, options.config)
  if (!parsed.ok) {
    for (const problem of parsed.problems) tell(problem, 'error')
    return { ok: false, code: EXIT.usage }
  }
  const { configuration } = parsed
  for (const warning of parsed.warnings) tell(warning, 'warning')
  const { describe, settled } = openDescriptions(context, configuration, options)
  const { named } = options
  const resolved = await resolveTools(configuration, {
    describe: permitted(describe, () => mayDescribe(context, configuration, options)),
    ...(named && { only: named }),
  })
  if (signal.aborted) {
    await settled()
    return { ok: false, code: EXIT.cancelled }
  }
  for (const warning of resolved.warnings) tell(warning, 'warning')
  for (const problem of resolved.problems) tell(problem, 'error')
  if (resolved.problems.length > 0) {
    await settled()
    return { ok: false, code: EXIT.usage }
  }
  const pins = openPins(configuration, resolved.tools)
  for (const message of pins.warnings) terminal.complain('warning', message)
  const left = [...resolved.left, ...pins.left]
  tellLeft(context, options.accepts ? resolved.left : left, configuration)
  const { tools } = pins
  return {
    ok: true,
    configuration,
    tools,
    entries: tools.map(({ entry }) => entry),
    left,
    pins,
    settled,
  }
}

/** Tools that wait for trust are told together: one yes lets all of them in. */
function tellLeft(
  { terminal }: CommandContext,
  left: readonly LeftOut[],
  { locate }: Configuration,
): void {
  const untrusted = left.filter(({ reason }) => reason === 'untrusted')
  for (const each of left)
    if (each.reason !== 'untrusted') terminal.complain('error', describeProblem(locate(each)))
  const [first] = untrusted
  if (first)
    terminal.complain('error', `${untrusted.map(({ tool }) => tool).join(', ')}: ${first.message}`)
}

const UNTRUSTED =
  'left out, because programs would be started to learn what they are, and this folder is not trusted: "toolblocks trust" shows them and asks, --trust or TOOLBLOCKS_TRUST=1 is a yes for one run, and tools with a "parameters" table need no start'

/** Asks for permission at most once, before the first program. */
function permitted(describe: Describe, ask: () => Promise<boolean>): Describe {
  let permission: Promise<boolean> | undefined
  return async (asked) => {
    permission ??= ask()
    return (await permission)
      ? describe(asked)
      : { ok: false, isUntrusted: true, message: UNTRUSTED }
  }
}

async function mayDescribe(
  context: CommandContext,
  configuration: Configuration,
  { named, trust = false }: OpenOptions,
): Promise<boolean> {
  if (named || trust || process.env['TOOLBLOCKS_TRUST'] === '1') return true
  const store = openTrustStore(settingsFile('trust.json'))
  return isTrusted(startedUnasked(configuration), { context, store })
}
