import type { WorkspaceTool, Description } from './define-tool.ts'
import pLimit, { type LimitFunction } from 'p-limit'
import {
  type DescribeOptions,
  type LocalCommand,
  describeExecutable,
} from '@toolblocks/local-executor'
import {
  type Fingerprints,
  createFingerprints,
  formatCommand,
} from '@toolblocks/local-executor/internal'
import { type ToolDescription, descriptionToDefinition } from '@toolblocks/protocol'
import { appendPointer } from '@toolblocks/protocol/internal'
import { isDefinitelySchema } from '@toolblocks/schema-check/internal/quick-check'
import { setImmediate as afterNow } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { NO_PROGRESS, showProgress } from '../../terminal/show-progress.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { checkParameters } from '../configuration/check-parameters.ts'
import type { Configuration } from '../configuration/configuration.ts'
import type { ToolConfiguration } from '../configuration/tool-schema.ts'
import { cacheFile } from '../files/own-folders.ts'
import { type DescriptionCache, openDescriptionCache } from './description-cache.ts'

/** A program that is asked for its tools. */
export interface DescribedProgram {
  command: LocalCommand
  /** Names of variables that the program gets, the same as for its tools. */
  env: readonly string[]
}

/** Returns the program that describes a tool. */
export function getProgram({ command, env = [] }: ToolConfiguration): DescribedProgram {
  return { command, env }
}

/** Returns a description from any source. Never rejects for an error of the program. */
export type Describe = (program: DescribedProgram) => Promise<Description>

/** The maximum number of programs that are asked at the same time. */
const SIDE_BY_SIDE = 8

/** Asks the program itself. Rejects with a `LocalToolError` if the command cannot be parsed. */
export function createDescribe(options: Pick<DescribeOptions, 'root' | 'signal'>): Describe {
  let limit: LimitFunction | undefined
  return async ({ command, env }) => {
    // Created at the first request: if every description is cached, it is not needed at the start.
    limit ??= pLimit(SIDE_BY_SIDE)
    const described = await limit(() => describeExecutable(command, { ...options, env }))
    if (!described.ok) return described
    const unusable: (readonly [string, string])[] = []
    const warnings = [...described.warnings]
    for (const tool of described.tools) {
      const why = await explainUnusable(tool)
      if (why === undefined) warnings.push(...(await findWrongDefaults(tool)))
      else unusable.push([tool.name, why])
    }
    return { ...described, warnings, unusable: Object.fromEntries(unusable) }
  }
}

/** A schema that cannot be checked would accept all arguments. */
async function explainUnusable(description: ToolDescription): Promise<string | undefined> {
  const { inputSchema } = descriptionToDefinition(description)
  if (isDefinitelySchema(inputSchema)) return undefined
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(inputSchema)
  const [problem] = compiled.ok ? (compiled.unusable ?? []) : compiled.problems
  if (!problem) return undefined
  const location = problem.path === '' ? '' : ` (${problem.path})`
  return `its schema of the arguments cannot be checked${location}: ${problem.message}`
}

/** A default that its parameter does not allow would fail every call that leaves the argument out. Paths are relative to the tool. */
async function findWrongDefaults({
  name: tool,
  parameters = {},
}: ToolDescription): Promise<Extract<Description, { ok: true }>['warnings']> {
  const diagnostics = await checkParameters(tool, { parameters })
  return diagnostics.map(({ path: [, , ...path], message }) => ({
    code: 'malformed-definition',
    tool,
    path: path.reduce(appendPointer, ''),
    message: `${message}; a call must give this argument`,
  }))
}

/** The sources of descriptions. */
export interface Sources {
  /** Asks the program. */
  describe: Describe
  cache: DescriptionCache
  /** Fingerprints of the files that a description depends on. A program without a fingerprint is always asked. */
  fingerprints: Fingerprints
  /** Called when a program without a cached description is asked. `answered` settles with its answer. */
  onFirst?: (program: DescribedProgram, answered: Promise<unknown>) => void
  /** Whether every program is asked now. */
  refresh?: boolean
}

/** Descriptions from a cache, and which of them have changed. */
export interface CachedDescribe {
  describe: Describe
  /** Returns the latest description of a program that was asked before; `undefined` if there is none. Starts no program. */
  recall(program: DescribedProgram): Description | undefined
  /** Returns how many programs have changed their description since the cached one. */
  changes(): number
  /** Returns the tool that an earlier start created from the same table and program. The program is still asked in the background. */
  findTool(name: string, tool: ToolConfiguration): WorkspaceTool | undefined
  /** Stores a tool for later starts, if its program has a fingerprint. */
  keepTool(name: string, tool: ToolConfiguration, defined: WorkspaceTool): void
  /**
   * Settles when every program with a cached description has been asked in the background. Returns those whose description has changed. A
   * fingerprint does not contain the imports of a program.
   */
  settled(): Promise<readonly DescribedProgram[]>
}

/** Creates descriptions from the cache. They are returned at once, and each program is then asked once in the background. */
export function createCachedDescribe(sources: Sources): CachedDescribe {
  const { describe, cache, fingerprints, onFirst, refresh = false } = sources
  /** The keys of programs whose description came from the cache. */
  const keys = new Map<string, string>()
  /** The descriptions of the other programs. */
  const answers = new Map<string, Description>()
  const checks: Promise<readonly DescribedProgram[]>[] = []
  const waiting: (readonly [key: string, program: DescribedProgram])[] = []
  let changes = 0

  async function ask(program: DescribedProgram, key: string | undefined): Promise<Description> {
    const description = await describe(program)
    answers.set(JSON.stringify(program), description)
    if (description.ok && key !== undefined) cache.keep(key, description)
    return description
  }

  async function check(
    key: string,
    program: DescribedProgram,
  ): Promise<readonly DescribedProgram[]> {
    const known = cache.read(key)
    const description = await describe(program)
    if (!description.ok || isDeepStrictEqual(description, known)) return []
    cache.keep(key, description)
    changes += 1
    return [program]
  }

  /** Runs later, because starting a program takes longer than creating all cached tools. */
  async function checkWaiting(): Promise<readonly DescribedProgram[]> {
    await afterNow()
    const now = waiting.splice(0)
    return (await Promise.all(now.map(([key, program]) => check(key, program)))).flat()
  }

  function checkOnce(key: string, program: DescribedProgram): void {
    const name = JSON.stringify(program)
    if (keys.has(name)) return
    keys.set(name, key)
    waiting.push([key, program])
    if (waiting.length === 1) checks.push(checkWaiting())
  }

  return {
    async describe(program) {
      const key = fingerprints.take(program)?.key
      const known = key === undefined ? undefined : cache.read(key)
      if (key !== undefined && known && !refresh) {
        checkOnce(key, program)
        return known
      }
      const answered = ask(program, key)
      if (!known) onFirst?.(program, answered)
      return await answered
    },
    findTool(name, tool) {
      const known = refresh ? undefined : cache.readTool(name)
      if (!known || known.table !== JSON.stringify(tool)) return undefined
      const program = getProgram(tool)
      if (!fingerprints.isCurrent(known.fingerprint, program)) return undefined
      checkOnce(known.fingerprint.key, program)
      return known.defined
    },
    keepTool(name, tool, defined) {
      const fingerprint = fingerprints.take(getProgram(tool))
      if (fingerprint) cache.keepTool(name, { table: JSON.stringify(tool), fingerprint, defined })
    },
    recall(program) {
      const name = JSON.stringify(program)
      const key = keys.get(name)
      return key === undefined ? answers.get(name) : cache.read(key)
    },
    changes: () => changes,
    async settled() {
      const changed = (await Promise.all(checks)).flat()
      cache.save()
      return changed
    },
  }
}

/** Milliseconds after which a terminal without a progress line gets a note about a program that has not answered. */
const NOTE_AFTER_MS = 2000

/** Opens the descriptions of a workspace's programs, with the cache of this user. While a program is asked for the first time, a line says so. */
export function openDescriptions(
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
  { root }: Configuration,
  { refresh = false }: { refresh?: boolean },
): CachedDescribe {
  return createCachedDescribe({
    describe: createDescribe({ root, signal }),
    cache: openDescriptionCache(cacheFile('descriptions', root)),
    fingerprints: createFingerprints({ root }),
    onFirst: createAskingLine(terminal, signal),
    refresh,
  })
}

/** Shows that programs are asked, in one line that is erased when they have answered. Elsewhere, a note names a program that does not answer soon. */
function createAskingLine(
  terminal: Terminal,
  signal: AbortSignal,
): NonNullable<Sources['onFirst']> {
  const { style } = terminal
  const asked = new Set<string>()
  let line = NO_PROGRESS
  const redraw = (since: number): void => {
    line.end()
    const [first, ...others] = asked
    if (first === undefined) return
    const what =
      others.length === 0
        ? `asking ${first} for its description`
        : `asking ${asked.size} programs for their descriptions`
    line = showProgress(terminal, style.plain(what), { signal, since })
  }
  return ({ command }, answered) => {
    const program = formatCommand(command)
    if (!terminal.progress) {
      const note = `asking ${program} for its description`
      const timer = setTimeout(() => terminal.note(style.dim(note)), NOTE_AFTER_MS)
      void answered.finally(() => clearTimeout(timer)).catch(() => undefined)
      return
    }
    const since = performance.now()
    asked.add(program)
    redraw(since)
    const end = (): void => {
      asked.delete(program)
      redraw(since)
    }
    void answered.then(end, end)
  }
}
