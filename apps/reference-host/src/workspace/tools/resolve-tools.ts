import {
  type Description,
  type DefinedTool,
  checkSource,
  createEntry,
  defineFromConfiguration,
  defineFromDescription,
  getEntry,
  needsDescription,
  placeToolProblem,
} from './define-tool.ts'
import { LocalToolError, type LocalToolOptions, formatCommand } from '@toolblocks/local-executor'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type {
  Configuration,
  Diagnostic,
  ToolConfiguration,
} from '../configuration/configuration.ts'
import { type Describe, type DescribedProgram, getProgram } from './describe-tools.ts'
import type { LeftOut } from './left-out.ts'

/** A tool that can be called, and what is known of it beside that. */
export interface ResolvedTool extends ToolEntry, Pick<DefinedTool, 'origins' | 'described'> {
  /** Another description than the recorded one must be accepted first. */
  isPinned: boolean
}

/** What tables, programs and servers come to. */
export interface ResolvedTools {
  tools: readonly ResolvedTool[]
  /** Tools that can't be called, and why; the others go on working. */
  left: readonly LeftOut[]
  /** What was repaired in what programs and servers say, and words of the configuration that do not fit it. */
  warnings: readonly Diagnostic[]
  /** What is wrong with the configuration itself; then there are no tools of programs. */
  problems: readonly Diagnostic[]
}

/** All that several have to offer. */
export function joinResolved(offers: readonly Partial<ResolvedTools>[]): ResolvedTools {
  return {
    tools: offers.flatMap(({ tools = [] }) => tools),
    left: offers.flatMap(({ left = [] }) => left),
    warnings: offers.flatMap(({ warnings = [] }) => warnings),
    problems: offers.flatMap(({ problems = [] }) => problems),
  }
}

/** What tools are made of beside their configuration. */
interface ResolveToolsOptions {
  describe: Describe
  /** What earlier starts have made. Default: nothing. */
  known?: KnownTools
  /** Names of the tools that are wanted. Absent: all. */
  only?: readonly string[]
}

/** What earlier starts have made. */
interface KnownTools {
  find(name: string, tool: ToolConfiguration): DefinedTool | undefined
  keep(name: string, tool: ToolConfiguration, defined: DefinedTool): void
}

const NOTHING_KNOWN: KnownTools = { find: () => undefined, keep: () => {} }

/** Makes the tools of a configuration; those without parameters are described, each program once, side by side. */
export async function resolveTools(
  { tools }: Pick<Configuration, 'tools'>,
  { describe, known = NOTHING_KNOWN, only }: ResolveToolsOptions,
): Promise<ResolvedTools> {
  const wanted = Object.entries(tools).filter(([name]) => only?.includes(name) ?? true)
  let environment: NodeJS.ProcessEnv | undefined
  const options = {
    describe: once(describe),
    known,
    environment: () => (environment ??= { ...process.env }),
  }
  const offered = joinResolved(
    await Promise.all(wanted.map(async ([name, tool]) => await resolveTool(name, tool, options))),
  )
  return {
    ...offered,
    tools: offered.problems.length > 0 ? [] : offered.tools,
    // What a program says of three tools is repaired once.
    warnings: [...new Map(offered.warnings.map((each) => [each.message, each])).values()],
  }
}

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

/** What a tool is made with. */
export interface ResolveOptions {
  describe: Describe
  known: KnownTools
  /** The variables of this process, which are slow to read: a copy for all tools. */
  environment: () => NonNullable<LocalToolOptions['environment']>
}

/** Makes the tool of one table: of the table alone, of what an earlier start has made of it, or of what its program says. */
export async function resolveTool(
  name: string,
  tool: ToolConfiguration,
  { describe, known, environment }: ResolveOptions,
): Promise<Partial<ResolvedTools>> {
  const misplaced = checkSource(name, tool)
  if (misplaced) return { problems: [misplaced] }
  if (!needsDescription(tool))
    return offer(name, tool, defineFromConfiguration(name, tool), { environment: environment() })
  const found = known.find(name, tool)
  // It was found good when it was made, so nothing of it is read again before it is called.
  if (found) return offer(name, tool, found, { read: 'at-first-call' })
  try {
    const described = await describe(getProgram(tool))
    const repairs = getRepairs(name, tool, described)
    const leave = (why: Pick<LeftOut, 'path' | 'message'>): Partial<ResolvedTools> => ({
      warnings: repairs,
      left: [{ tool: name, reason: 'undescribed', ...why }],
    })
    const read = defineFromDescription(name, tool, described)
    if (!read.ok) return leave({ path: ['tools', name], message: read.message })
    const defined = { ...read.defined, warnings: [...repairs, ...read.defined.warnings] }
    const offered = offer(name, tool, defined, { environment: environment() })
    // What a program says can change at any time, so what does not fit it takes away one tool only.
    const [problem] = offered.problems ?? []
    if (problem) return leave(problem)
    known.keep(name, tool, defined)
    return offered
  } catch (error) {
    if (!(error instanceof LocalToolError)) throw error
    return { problems: error.problems.map((problem) => placeToolProblem(name, problem)) }
  }
}

/** A tool as it was defined, or what is wrong with its table. */
function offer(
  name: string,
  table: ToolConfiguration,
  defined: DefinedTool,
  options: LocalToolOptions,
): Partial<ResolvedTools> {
  const created = createEntry(name, table, defined, options)
  if (!created.ok) return { problems: created.problems }
  const { origins, described, warnings } = defined
  const isPinned = described !== undefined && table.pin === true
  const tool = { ...created.entry, origins, isPinned, ...(described && { described }) }
  return { tools: [tool], warnings }
}

/** What was repaired in an entry is told of its tool, and of every tool where nobody knows whose it is. */
function getRepairs(
  name: string,
  table: ToolConfiguration,
  described: Description,
): readonly Diagnostic[] {
  if (!described.ok) return []
  const entry = getEntry(name, table)
  return described.warnings
    .filter(({ tool = entry }) => tool === entry)
    .map(({ path, message }) => ({
      path: ['tools', name],
      message: `in what ${formatCommand(table.command)} says of itself, ${path}: ${message}`,
    }))
}
