import type { Routes } from '@toolblocks/inquiry'
import {
  createLocalTool,
  LocalToolError,
  type LocalToolDefinition,
  type LocalToolOptions,
} from '@toolblocks/local-executor'
import { modelSettings } from '../configuration/agent-settings.ts'
import { createPtyTool } from '@toolblocks/local-executor/pty'
import { argumentsMarked, pointerSteps, type Problem } from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'
import type { PlacedMessage, ToolConfiguration } from '../configuration/configuration.ts'
import { didYouMean } from '../did-you-mean.ts'
import type { DefinedTool } from './define-tool.ts'

/** An entry for the executor, or what is wrong with the tool's table. */
export type CreatedEntry =
  | { ok: true; entry: ToolEntry }
  | { ok: false; problems: readonly PlacedMessage[] }

/** Makes one tool of a configuration. */
export function createEntry(
  name: string,
  tool: ToolConfiguration,
  defined: DefinedTool,
  options: LocalToolOptions = {},
): CreatedEntry {
  const misplaced = checkSource(name, tool)
  if (misplaced) return { ok: false, problems: [misplaced] }
  try {
    const entry = {
      tool: (tool.pty ? createPtyTool : createLocalTool)(toLocalTool(tool, defined), options),
      source: tool.source,
      ...(tool.run && { policy: tool.run }),
      ...(tool.options && { options: tool.options }),
      ...(tool.questions && { routes: toRoutes(tool.questions) }),
      ...(tool.on_turn_end && { onTurnEnd: tool.on_turn_end }),
      ...(tool.deduplicate !== undefined && { deduplicate: tool.deduplicate }),
    }
    return { ok: true, entry }
  } catch (error) {
    if (!(error instanceof LocalToolError)) throw error
    const names = argumentsOf(defined)
    return {
      ok: false,
      problems: error.problems.map((problem) => {
        const placed = placeToolProblem(name, problem)
        return { ...placed, message: `${placed.message}${suggestParameter(problem, names)}` }
      }),
    }
  }
}

/** What is wrong with where a tool comes from. */
export function checkSource(
  name: string,
  { source }: ToolConfiguration,
): PlacedMessage | undefined {
  if (source.split('.', 1)[0] === 'local') return undefined
  return { path: ['tools', name, 'source'], message: unknownSource(source) }
}

/** A problem of a tool's table, at its place in the configuration. */
export function placeToolProblem(name: string, { path, message }: Problem): PlacedMessage {
  return { path: ['tools', name, ...pointerSteps(path)], message }
}

function argumentsOf({ definition: { inputSchema } }: DefinedTool): readonly string[] {
  return Object.keys(Object(Reflect.get(Object(inputSchema), 'properties')))
}

function suggestParameter({ code, got }: Problem, names: readonly string[]): string {
  return code === 'unknown-argument' && got !== undefined ? didYouMean(got.slice(1, -1), names) : ''
}

function toLocalTool(tool: ToolConfiguration, defined: DefinedTool): LocalToolDefinition {
  const { stateful = defined.stateful, actions = defined.actions, parameters = {} } = tool
  // Of the configuration alone: no program can say of itself that a model may write what it runs.
  const codeArguments = argumentsMarked(parameters, 'code')
  const dashArguments = argumentsMarked(parameters, 'allow_dash')
  return {
    ...defined.definition,
    command: tool.command,
    ...(codeArguments.length > 0 && { codeArguments }),
    ...(dashArguments.length > 0 && { dashArguments }),
    toolName: defined.entry,
    ...(tool.timeout_secs !== undefined && { timeoutMs: Math.ceil(tool.timeout_secs * 1000) }),
    ...(tool.env && { env: tool.env }),
    ...(tool.left_behind && { leftBehind: tool.left_behind }),
    ...(tool.dialect && { dialect: tool.dialect }),
    ...(tool.format_arguments && { formatsArguments: true }),
    ...(stateful && { stateful: true }),
    ...(actions && { actions }),
  }
}

/** Who answers, by question id, as the executor takes it. */
export function toRoutes(questions: NonNullable<ToolConfiguration['questions']>): Routes {
  return Object.fromEntries(
    Object.entries(questions).map(([id, { target, ...route }]) => {
      if (target === undefined) return [id, route]
      if (typeof target === 'string') return [id, { ...route, target }]
      const { name, ...settings } = target
      const named = { ...(name !== undefined && { name }), ...modelSettings(settings) }
      return [id, { ...route, target: { settings: named } }]
    }),
  )
}

function unknownSource(source: string): string {
  return `expected "local", "local.<entry>" or "mcp.<server>.<tool>", got ${JSON.stringify(source)}`
}
