import {
  describeProblem,
  type Configuration,
  type ConfigurationProblem,
} from '../../configuration/configuration.ts'
import type { OpenedServerTools } from '../../mcp/open-server-tools.ts'
import type { CachedDescribe } from '../../tools/descriptions/describe-from-cache.ts'
import type { LeftOut } from '../../tools/left-out.ts'
import type { ResolvedTool } from '../../tools/resolve-tool.ts'
import { resolveTools } from '../../tools/resolve-tools.ts'
import type { CommandContext } from '../command-context.ts'
import { type AssembleOptions, assembleTools } from './assemble-tools.ts'
import { tellLeft } from './tell-left.ts'

/** Makes the tools anew; `undefined` where nothing was described otherwise since it was called last. */
export type RenewTools = () => Promise<readonly ResolvedTool[] | undefined>

/** What tools were made of. */
export interface MadeOf {
  configuration: Configuration
  descriptions: CachedDescribe
  opened: Pick<OpenedServerTools, 'now' | 'changes'>
  which: AssembleOptions
  /** What was told to be left out, and to be repaired. */
  left: readonly LeftOut[]
  warnings: readonly ConfigurationProblem[]
}

/** For a host that lives long: programs are asked again in the background, and servers list their tools anew. No program is started for it. */
export function createRenewal(context: CommandContext, madeOf: MadeOf): RenewTools {
  const { configuration, descriptions, opened, which } = madeOf
  const count = (): number => descriptions.changes() + opened.changes()
  let known = 0
  let told = madeOf.left
  const warned = new Set(madeOf.warnings.map(describeProblem))
  return async () => {
    const changes = count()
    if (changes === known) return undefined
    known = changes
    const { only } = which
    const local = await resolveTools(configuration, {
      describe: async (asked) => descriptions.recall(asked) ?? NOT_ASKED,
      ...(only && { only }),
    })
    const offered = opened.now()
    const warnings = [...local.warnings, ...offered.warnings.map(configuration.locate)]
    for (const warning of warnings.map(describeProblem)) {
      if (!warned.has(warning)) context.terminal.complain('warning', warning)
      warned.add(warning)
    }
    const { pins, unusable } = assembleTools(configuration, local, offered, which)
    const left = [...unusable, ...pins.left]
    tellLeft(context, withoutTold(left, told), configuration)
    told = left
    return pins.tools
  }
}

/** Of a program that was not let start: why has been told. */
const NOT_ASKED = { ok: false, message: 'it was not asked what it is' } as const

function withoutTold(left: readonly LeftOut[], told: readonly LeftOut[]): readonly LeftOut[] {
  const known = new Set(told.map(({ tool, reason }) => `${reason} ${tool}`))
  return left.filter(
    ({ tool, reason }) => !known.has(`${reason} ${tool}`) && !known.has(`waiting ${tool}`),
  )
}
