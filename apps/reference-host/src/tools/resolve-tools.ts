import type {
  Configuration,
  ConfigurationProblem,
  PlacedMessage,
} from '../configuration/configuration.ts'
import type { DescribedProgram, Describe } from './descriptions/describe.ts'
import type { LeftOut } from './left-out.ts'
import {
  type KnownTools,
  resolveAtOnce,
  resolveByAsking,
  type ResolvedTool,
} from './resolve-tool.ts'

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
