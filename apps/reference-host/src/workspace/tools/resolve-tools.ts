import {
  type Description,
  type DefinedTool,
  checkSource,
  createEntry,
  defineFromConfiguration,
  defineFromDescription,
  entryOf,
  needsDescription,
  placeToolProblem,
} from './define-tool.ts'
import { LocalToolError, type LocalToolOptions, writeCommand } from '@toolblocks/local-executor'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type {
  Configuration,
  ConfigurationProblem,
  PlacedMessage,
  ToolConfiguration,
} from '../configuration/configuration.ts'
import { type Describe, type DescribedProgram, programOf } from './describe-tools.ts'
import type { MadeTool } from './description-cache.ts'
import type { LeftOut } from './left-out.ts'

/** The tools of a configuration. */
export interface ResolvedTools {
  tools: readonly ResolvedTool[]
  /** Tools that can't be called, and why; the others go on working. */
  left: readonly LeftOut[]
  /** What was repaired in what programs say, and words of the configuration that do not fit it. */
  warnings: readonly ConfigurationProblem[]
  /** What is wrong with the configuration itself; then there are no tools. */
  problems: readonly ConfigurationProblem[]
}

/** What tools are made of beside their configuration. */
interface ResolveToolsOptions {
  describe: Describe
  /** What earlier starts have made. Default: nothing. */
  known?: KnownTools
  /** Names of the tools that are wanted. Absent: all. */
  only?: readonly string[]
}

/** Makes the tools of a configuration; those without parameters are described, each program once, side by side. */
export async function resolveTools(
  { tools, locate }: Configuration,
  { describe, known = NOTHING_KNOWN, only }: ResolveToolsOptions,
): Promise<ResolvedTools> {
  const wanted = Object.entries(tools).filter(([name]) => only?.includes(name) ?? true)
  let environment: NodeJS.ProcessEnv | undefined
  const options = {
    describe: once(describe),
    known,
    environment: () => (environment ??= { ...process.env }),
  }
  const resolved = await Promise.all(
    wanted.map(
      async ([name, tool]) =>
        resolveAtOnce(name, tool, options) ?? (await resolveByAsking(name, tool, options)),
    ),
  )
  const problems = resolved.flatMap((each) => each.problems ?? []).map(locate)
  return {
    tools: problems.length > 0 ? [] : resolved.flatMap(({ tool }) => tool ?? []),
    left: resolved.flatMap(({ left }) => left ?? []),
    warnings: saidOnce(resolved.flatMap(({ warnings }) => warnings ?? [])).map(locate),
    problems,
  }
}

const NOTHING_KNOWN: KnownTools = { find: () => undefined, keep: () => {} }

/** Asks each program once, however many of its tools are wanted. */
function once(describe: Describe): Describe {
  const known = new Map<string, ReturnType<Describe>>()
  return (program: DescribedProgram) => {
    const key = JSON.stringify(program)
    const running = known.get(key) ?? describe(program)
    known.set(key, running)
    return running
  }
}

/** What a program says of three tools is repaired once. */
function saidOnce(messages: readonly PlacedMessage[]): readonly PlacedMessage[] {
  return [...new Map(messages.map((each) => [each.message, each])).values()]
}

/** A tool that can be called. */
export interface ResolvedTool extends Pick<DefinedTool, 'origins' | 'described'> {
  entry: ToolEntry
  /** Another description than the recorded one must be accepted first. */
  isPinned: boolean
}

/** What came of one table: a tool, or why there is none. */
export interface Resolution {
  tool?: ResolvedTool
  left?: LeftOut
  warnings?: readonly PlacedMessage[]
  /** Of the table itself. */
  problems?: readonly PlacedMessage[]
}

/** What earlier starts have made. */
interface KnownTools {
  find(name: string, tool: ToolConfiguration): MadeTool | undefined
  keep(name: string, tool: ToolConfiguration, made: MadeTool): void
}

/** What tools are made with. */
export interface ResolveOptions {
  describe: Describe
  known: KnownTools
  /** The variables of this process, which are slow to read: a copy for all tools. */
  environment: () => NonNullable<LocalToolOptions['environment']>
}

/** Makes the tool of one table, where no program has to be asked for it. */
export function resolveAtOnce(
  name: string,
  tool: ToolConfiguration,
  options: ResolveOptions,
): Resolution | undefined {
  if (!needsDescription(tool)) return resolveConfigured(name, tool, options)
  const misplaced = checkSource(name, tool)
  if (misplaced) return { problems: [misplaced] }
  const known = options.known.find(name, tool)
  return known && resolveKnown(name, tool, known)
}

/** Makes the tool of one table that its program describes. */
export async function resolveByAsking(
  name: string,
  tool: ToolConfiguration,
  options: ResolveOptions,
): Promise<Resolution> {
  try {
    const described = await options.describe(programOf(tool))
    return resolveDescribed(name, tool, { ...options, described })
  } catch (error) {
    if (!(error instanceof LocalToolError)) throw error
    return { problems: error.problems.map((problem) => placeToolProblem(name, problem)) }
  }
}

function resolveConfigured(
  name: string,
  tool: ToolConfiguration,
  { environment }: ResolveOptions,
): Resolution {
  const defined = defineFromConfiguration(name, tool)
  const created = createEntry(name, tool, defined, { environment: environment() })
  if (!created.ok) return { problems: created.problems }
  const { origins } = defined
  return {
    tool: { entry: created.entry, origins, isPinned: false },
    ...(tool.pin && {
      warnings: [{ path: ['tools', name, 'pin'], message: NOTHING_TO_PIN }],
    }),
  }
}

const NOTHING_TO_PIN =
  'this tool has "parameters", so it is not asked what it is and there is nothing to pin; remove one of the two'

/** It was found good when it was made, so nothing of it is read again before it is called. */
function resolveKnown(
  name: string,
  tool: ToolConfiguration,
  { defined, warnings }: MadeTool,
): Resolution {
  const created = createEntry(name, tool, defined, { read: 'at-first-call' })
  if (!created.ok) return { problems: created.problems }
  return { tool: toResolved(tool, defined, created.entry), warnings }
}

function toResolved(
  { pin = false }: ToolConfiguration,
  { origins, described }: DefinedTool,
  entry: ToolEntry,
): ResolvedTool {
  return { entry, origins, isPinned: pin, ...(described && { described }) }
}

/** What a program says can change at any time, so what does not fit it takes away one tool only. */
function resolveDescribed(
  name: string,
  tool: ToolConfiguration,
  { described, environment, known }: ResolveOptions & { described: Description },
): Resolution {
  const path = ['tools', name]
  const warnings = warningsOf(name, tool, described)
  const read = defineFromDescription(name, tool, described)
  if (!read.ok) {
    return { warnings, left: { tool: name, reason: 'undescribed', path, message: read.message } }
  }
  const misfits = read.problems.map((problem) => placeToolProblem(name, problem))
  const created = createEntry(name, tool, read.defined, { environment: environment() })
  if (!created.ok) {
    const [problem = { path, message: 'it cannot be made' }] = created.problems
    return { warnings, left: { tool: name, reason: 'undescribed', ...problem } }
  }
  const made = { defined: read.defined, warnings: [...warnings, ...misfits] }
  known.keep(name, tool, made)
  return { tool: toResolved(tool, made.defined, created.entry), warnings: made.warnings }
}

/** What is wrong with an entry is told of its tool, and of every tool where nobody knows whose it is. */
function warningsOf(
  name: string,
  table: ToolConfiguration,
  described: Description,
): readonly PlacedMessage[] {
  if (!described.ok) return []
  const entry = entryOf(name, table)
  return described.warnings
    .filter(({ tool = entry }) => tool === entry)
    .map(({ path, message }) => ({
      path: ['tools', name],
      message: `in what ${writeCommand(table.command)} says of itself, ${path}: ${message}`,
    }))
}
