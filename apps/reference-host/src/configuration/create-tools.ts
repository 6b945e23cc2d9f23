import type { Routes } from '@toolblocks/inquiry'
import {
  createLocalTool,
  LocalToolError,
  type LocalToolDefinition,
} from '@toolblocks/local-executor'
import { createPtyTool } from '@toolblocks/local-executor/pty'
import {
  parametersToSchema,
  pointerSteps,
  type Problem,
  type ToolDefinition,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type {
  Configuration,
  ConfigurationProblem,
  PlacedMessage,
  ToolConfiguration,
} from './configuration.ts'
import { didYouMean } from '../did-you-mean.ts'

/** The tools of a configuration, or what is wrong with their tables. */
export type CreatedTools =
  | { ok: true; entries: readonly ToolEntry[] }
  | { ok: false; problems: readonly ConfigurationProblem[] }

/** Makes the tools a configuration names. */
export function createTools(configuration: Configuration): CreatedTools {
  const problems: ConfigurationProblem[] = []
  const entries: ToolEntry[] = []
  for (const [name, tool] of Object.entries(configuration.tools)) {
    const created = createTool(name, tool)
    if (Array.isArray(created)) problems.push(...created.map(configuration.locate))
    else entries.push(created)
  }
  return problems.length === 0 ? { ok: true, entries } : { ok: false, problems }
}

function createTool(name: string, tool: ToolConfiguration): ToolEntry | PlacedMessage[] {
  const [kind, entry = name] = tool.source.split('.', 2)
  if (kind !== 'local')
    return [{ path: ['tools', name, 'source'], message: unknownSource(tool.source) }]
  try {
    return {
      tool: (tool.pty ? createPtyTool : createLocalTool)(defineTool(name, entry, tool)),
      source: tool.source,
      ...(tool.run && { policy: tool.run }),
      ...(tool.options && { options: tool.options }),
      ...(tool.questions && { routes: toRoutes(tool.questions) }),
      ...(tool.on_turn_end && { onTurnEnd: tool.on_turn_end }),
      ...(tool.deduplicate !== undefined && { deduplicate: tool.deduplicate }),
    }
  } catch (error) {
    if (!(error instanceof LocalToolError)) throw error
    return error.problems.map((problem) => ({
      path: ['tools', name, ...pointerSteps(problem.path)],
      message: `${problem.message}${suggestParameter(problem, tool)}`,
    }))
  }
}

function suggestParameter({ code, got }: Problem, { parameters }: ToolConfiguration): string {
  return code === 'unknown-argument' && got !== undefined
    ? didYouMean(got.slice(1, -1), Object.keys(parameters))
    : ''
}

function defineTool(name: string, toolName: string, tool: ToolConfiguration): LocalToolDefinition {
  return {
    ...describe(name, tool),
    command: tool.command,
    toolName,
    ...(tool.timeout_secs !== undefined && { timeoutMs: Math.ceil(tool.timeout_secs * 1000) }),
    ...(tool.env && { env: tool.env }),
    ...(tool.left_behind && { leftBehind: tool.left_behind }),
    ...(tool.dialect && { dialect: tool.dialect }),
    ...(tool.format_arguments && { formatsArguments: true }),
    ...(tool.stateful && { stateful: true }),
    ...(tool.actions && { actions: tool.actions }),
  }
}

function toRoutes(questions: NonNullable<ToolConfiguration['questions']>): Routes {
  return Object.fromEntries(
    Object.entries(questions).map(([id, { target, ...route }]) => {
      if (target === undefined) return [id, route]
      return [id, { ...route, target: typeof target === 'string' ? target : { settings: target } }]
    }),
  )
}

function describe(name: string, tool: ToolConfiguration): ToolDefinition {
  const { title, summary, description } = tool
  return {
    name,
    ...(title !== undefined && { title }),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    inputSchema: parametersToSchema(tool.parameters),
  }
}

function unknownSource(source: string): string {
  return `expected "local" or "local.<entry>", got ${JSON.stringify(source)}; this version runs local tools only`
}
