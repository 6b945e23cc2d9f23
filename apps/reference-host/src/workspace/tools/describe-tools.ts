import type { DefinedTool, Description } from './define-tool.ts'
import pLimit, { type LimitFunction } from 'p-limit'
import {
  type DescribeOptions,
  type Fingerprints,
  type LocalCommand,
  createFingerprints,
  describeExecutable,
  formatCommand,
} from '@toolblocks/local-executor'
import { type ToolDescription, descriptionToDefinition } from '@toolblocks/protocol'
import { isDefinitelySchema } from '@toolblocks/schema-check/quick-check'
import { setImmediate as afterNow } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Configuration, ToolConfiguration } from '../configuration/configuration.ts'
import { cacheFile } from '../files/own-folders.ts'
import { type DescriptionCache, openDescriptionCache } from './description-cache.ts'

/** One program that is asked what tools it has. */
export interface DescribedProgram {
  command: LocalCommand
  /** Names of variables it may see, as its tools may. */
  env: readonly string[]
}

/** What is asked to learn what a tool is. */
export function getProgram({ command, env = [] }: ToolConfiguration): DescribedProgram {
  return { command, env }
}

/** Gives a description, from wherever. Never rejects for anything the program did. */
export type Describe = (program: DescribedProgram) => Promise<Description>

/** Programs that are asked at the same time. */
const SIDE_BY_SIDE = 8

/** Asks the program itself. Rejects with a `LocalToolError` for a command that cannot be read. */
export function createDescribe(options: Pick<DescribeOptions, 'root' | 'signal'>): Describe {
  let limit: LimitFunction | undefined
  return async ({ command, env }) => {
    // Where every tool is known, none is asked before there is time for it.
    limit ??= pLimit(SIDE_BY_SIDE)
    const described = await limit(() => describeExecutable(command, { ...options, env }))
    if (!described.ok) return described
    const unusable: (readonly [string, string])[] = []
    for (const tool of described.tools) {
      const why = await explainUnusable(tool)
      if (why !== undefined) unusable.push([tool.name, why])
    }
    return { ...described, unusable: Object.fromEntries(unusable) }
  }
}

/** A schema that cannot be checked would let every argument through. */
async function explainUnusable(description: ToolDescription): Promise<string | undefined> {
  const { inputSchema } = descriptionToDefinition(description)
  if (isDefinitelySchema(inputSchema)) return undefined
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(inputSchema)
  const [problem] = compiled.ok ? (compiled.unusable ?? []) : compiled.problems
  if (!problem) return undefined
  const at = problem.path === '' ? '' : ` (${problem.path})`
  return `the arguments it describes cannot be checked${at}: ${problem.message}`
}

/** Where descriptions come from. */
export interface Sources {
  /** Asks the program. */
  describe: Describe
  cache: DescriptionCache
  /** Of what a description depends on; where there is none, only the program knows. */
  fingerprints: Fingerprints
  /** Called before a program is asked that nothing is known of. */
  onFirst?: (program: DescribedProgram) => void
  /** Ask every program now. */
  refresh?: boolean
}

/** Descriptions from a cache, and what turned out to be out of date. */
export interface CachedDescribe {
  describe: Describe
  /** What is known by now of a program that was asked before, or is being asked; starts none. */
  recall(program: DescribedProgram): Description | undefined
  /** How many programs have answered otherwise since they were described from the cache. */
  changes(): number
  /** What an earlier start has made of the same table and the same program, which is asked all the same. */
  findTool(name: string, tool: ToolConfiguration): DefinedTool | undefined
  /** Keeps it for later starts, where its program can be seen. */
  keepTool(name: string, tool: ToolConfiguration, defined: DefinedTool): void
  /**
   * Settles when every program whose description came from the cache has been asked in the background: those whose answer is
   * another by now. What a program imports is in no fingerprint.
   */
  settled(): Promise<readonly DescribedProgram[]>
}

/** Serves known descriptions at once and asks their programs all the same, once. */
export function createCachedDescribe(sources: Sources): CachedDescribe {
  const { describe, cache, fingerprints, onFirst, refresh = false } = sources
  /** Of programs whose description came from the cache: under which key. */
  const keys = new Map<string, string>()
  /** What the others have answered. */
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

  /** Later, because starting a program takes longer than all tools that are known. */
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
      if (!known) onFirst?.(program)
      return ask(program, key)
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

/** Descriptions of the programs of a workspace, through the cache of this user. The first asking of a program is said. */
export function openDescriptions(
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
  { root }: Configuration,
  { refresh = false }: { refresh?: boolean },
): CachedDescribe {
  return createCachedDescribe({
    describe: createDescribe({ root, signal }),
    cache: openDescriptionCache(cacheFile('descriptions', root)),
    fingerprints: createFingerprints({ root }),
    onFirst: ({ command }) =>
      terminal.note(terminal.style.dim(`asking ${formatCommand(command)} what it is`)),
    refresh,
  })
}
