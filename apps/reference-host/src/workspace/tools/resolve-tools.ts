import {
  type Description,
  type WorkspaceTool,
  checkSource,
  createEntry,
  defineFromConfiguration,
  defineFromDescription,
  getEntry,
  needsDescription,
  placeToolProblem,
  shapeEntry,
} from './define-tool.ts'
import { LocalToolError, type LocalToolOptions } from '@toolblocks/local-executor'
import { formatCommand } from '@toolblocks/local-executor/internal'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { Configuration, Diagnostic } from '../configuration/configuration.ts'
import type { ToolConfiguration } from '../configuration/tool-schema.ts'
import { type Describe, type DescribedProgram, getProgram } from './describe-tools.ts'
import type { UnavailableTool } from './unavailable-tool.ts'

/** A tool that can be called, with the sources of its texts and its own description. */
export interface ResolvedTool extends ToolEntry, Pick<WorkspaceTool, 'origins' | 'described'> {
  /** Whether a changed description must be accepted before the tool can be called. */
  isPinned: boolean
}

/** The tools of tables, programs and servers, with their problems. */
export interface ResolvedTools {
  tools: readonly ResolvedTool[]
  /** Tools that cannot be called, with the reasons. Other tools still work. */
  left: readonly UnavailableTool[]
  /** Repairs in the descriptions of programs and servers, and texts of the configuration that do not fit them. */
  warnings: readonly Diagnostic[]
  /** Errors in the configuration itself. Then there are no tools of programs. */
  problems: readonly Diagnostic[]
}

/** Joins several sets of tools into one. */
export function joinResolved(offers: readonly Partial<ResolvedTools>[]): ResolvedTools {
  return {
    tools: offers.flatMap(({ tools = [] }) => tools),
    left: offers.flatMap(({ left = [] }) => left),
    warnings: offers.flatMap(({ warnings = [] }) => warnings),
    problems: offers.flatMap(({ problems = [] }) => problems),
  }
}

/** The values besides the configuration that tools are created from. */
interface ResolveToolsOptions {
  describe: Describe
  /** Tools that earlier starts have created. Default: none. */
  known?: KnownTools
  /** Names of the tools to create. Absent: all. */
  only?: readonly string[]
}

/** Tools that earlier starts have created. */
interface KnownTools {
  find(name: string, tool: ToolConfiguration): WorkspaceTool | undefined
  keep(name: string, tool: ToolConfiguration, defined: WorkspaceTool): void
}

const NOTHING_KNOWN: KnownTools = { find: () => undefined, keep: () => {} }

/** Creates the tools of a configuration. Programs describe tools without parameters; each program is asked once, several in parallel. */
export async function resolveTools(
  { tools }: Pick<Configuration, 'tools'>,
  { describe, known = NOTHING_KNOWN, only }: ResolveToolsOptions,
): Promise<ResolvedTools> {
  const wanted = Object.entries(tools).filter(([name]) => only?.includes(name) ?? true)
  let environment: NodeJS.ProcessEnv | undefined
  const options = {
    describe: describeOnce(describe),
    known,
    environment: () => (environment ??= { ...process.env }),
  }
  const offered = joinResolved(
    await Promise.all(wanted.map(async ([name, tool]) => await resolveTool(name, tool, options))),
  )
  return {
    ...offered,
    tools: offered.problems.length > 0 ? [] : offered.tools,
    // A warning about a program with three tools is reported once.
    warnings: [...new Map(offered.warnings.map((each) => [each.message, each])).values()],
  }
}

/** Asks each program once, for all of its tools. */
function describeOnce(describe: Describe): Describe {
  const known = new Map<string, ReturnType<Describe>>()
  return (program: DescribedProgram) => {
    const key = JSON.stringify(program)
    const running = known.get(key) ?? describe(program)
    known.set(key, running)
    return running
  }
}

/** The values that a tool is created with. */
export interface ResolveOptions {
  describe: Describe
  known: KnownTools
  /** Returns a copy of this process's variables for all tools, because reading them is slow. */
  environment: () => NonNullable<LocalToolOptions['environment']>
}

/** Creates the tool of one table: from the table alone, from an earlier start, or from the description of its program. */
export async function resolveTool(
  name: string,
  tool: ToolConfiguration,
  { describe, known, environment }: ResolveOptions,
): Promise<Partial<ResolvedTools>> {
  const misplaced = checkSource(name, tool)
  if (misplaced) return { problems: [misplaced] }
  if (!needsDescription(tool))
    return await createToolEntry(name, tool, defineFromConfiguration(name, tool), {
      environment: environment(),
    })
  const knownTool = known.find(name, tool)
  // The earlier start has checked it, so nothing of it is parsed again before the call.
  if (knownTool) return await createToolEntry(name, tool, knownTool, { read: 'at-first-call' })
  try {
    const described = await describe(getProgram(tool))
    const repairs = getRepairs(name, tool, described)
    const omitTool = (why: Pick<UnavailableTool, 'path' | 'message'>): Partial<ResolvedTools> => ({
      warnings: repairs,
      left: [{ tool: name, reason: 'undescribed', ...why }],
    })
    const read = defineFromDescription(name, tool, described)
    if (!read.ok) return omitTool({ path: ['tools', name], message: read.message })
    const defined = { ...read.defined, warnings: [...repairs, ...read.defined.warnings] }
    const offered = await createToolEntry(name, tool, defined, { environment: environment() })
    // The description of a program can change at any time, so a mismatch disables only one tool.
    const [problem] = offered.problems ?? []
    if (problem) return omitTool(problem)
    known.keep(name, tool, defined)
    return offered
  } catch (error) {
    if (!(error instanceof LocalToolError)) throw error
    return { problems: error.problems.map((problem) => placeToolProblem(name, problem)) }
  }
}

/** Returns a tool with its entry, or what is wrong with its table. */
async function createToolEntry(
  name: string,
  table: ToolConfiguration,
  defined: WorkspaceTool,
  options: LocalToolOptions,
): Promise<Partial<ResolvedTools>> {
  const whole = createEntry(name, table, defined, options)
  if (!whole.ok) return { problems: whole.problems }
  const created = await shapeEntry(name, whole.entry, table)
  if (!created.ok) return { problems: created.problems }
  const { origins, described, warnings } = defined
  const isPinned = described !== undefined && table.pin === true
  const tool = { ...created.entry, origins, isPinned, ...(described && { described }) }
  return { tools: [tool], warnings }
}

/** Returns the repairs of a tool's entry. A repair without a known entry is reported for every tool of the program. */
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
      message: `in the description of ${formatCommand(table.command)}, ${path}: ${message}`,
    }))
}
