import {
  describeExecutable,
  type DescribedExecutable,
  type DescribeOptions,
  type LocalCommand,
} from '@toolblocks/local-executor'
import { descriptionToDefinition, type ToolDescription } from '@toolblocks/protocol'
import { isSurelySchema } from '@toolblocks/schema-check/sure'
import pLimit, { type LimitFunction } from 'p-limit'
import type { ToolConfiguration } from '../../configuration/configuration.ts'

/** One program that is asked what tools it has. */
export interface DescribedProgram {
  command: LocalCommand
  /** Names of variables it may see, as its tools may. */
  env: readonly string[]
}

/** What is asked to learn what a tool is. */
export function programOf({ command, env = [] }: ToolConfiguration): DescribedProgram {
  return { command, env }
}

/** What a program says of itself, and which of its tools cannot be used. */
export type Description =
  | (Extract<DescribedExecutable, { ok: true }> & {
      /** Why, by name. */
      unusable: Readonly<Record<string, string>>
    })
  | Extract<DescribedExecutable, { ok: false }>

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
  if (isSurelySchema(inputSchema)) return undefined
  const { compileSchema } = await import('@toolblocks/schema-check')
  const compiled = compileSchema(inputSchema)
  const [problem] = compiled.ok ? (compiled.unusable ?? []) : compiled.problems
  if (!problem) return undefined
  const at = problem.path === '' ? '' : ` (${problem.path})`
  return `the arguments it describes cannot be checked${at}: ${problem.message}`
}
