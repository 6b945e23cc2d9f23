import {
  type ExecutableDescription,
  type LocalToolDefinition,
  LocalToolError,
  type LocalToolOptions,
  createLocalTool,
} from '@toolblocks/local-executor'
import type { QuestionRoutes } from '@toolblocks/inquiry'
import { createPtyTool } from '@toolblocks/local-executor/pty'
import {
  type LiveAction,
  mergeToolOverrides,
  parametersToSchema,
  splitPointer,
  findMarkedArguments,
} from '@toolblocks/protocol/internal'
import {
  type ParameterDefinition,
  type Problem,
  type ToolDefinition,
  type ToolDescription,
  descriptionToDefinition,
} from '@toolblocks/protocol'
import { shapeTool, type ToolEntry } from '@toolblocks/tool-executor'
import { didYouMean, formatSuggestions } from '../../terminal/did-you-mean.ts'
import { modelSettings } from '../configuration/agent-settings.ts'
import type { Diagnostic } from '../configuration/configuration.ts'
import type { ToolConfiguration } from '../configuration/tool-schema.ts'

/** The description of a program, and its tools that cannot be used. */
export type Description =
  | (Extract<ExecutableDescription, { ok: true }> & {
      /** The reasons, by tool name. */
      unusable: Readonly<Record<string, string>>
    })
  | Extract<ExecutableDescription, { ok: false }>

/** The source of a tool's text. `both`: the configuration changes the text of the tool. */
export type ToolOrigin = 'configuration' | 'executable' | 'server' | 'both'

/** The parts of a definition that have a source. */
type DefinitionPart = 'title' | 'summary' | 'description' | 'examples' | 'inputSchema'

/** The parts of a tool's description that a pin protects. */
export type PinnedDefinition = ToolDefinition & Pick<ToolDescription, 'stateful' | 'actions'>

/** A tool's definition before its entry is created. */
export interface WorkspaceTool {
  definition: ToolDefinition
  /** The name of the tool in its executable. */
  entry: string
  /** The description of the executable, without the texts of the configuration. Absent if the executable was not asked. */
  described?: PinnedDefinition
  stateful?: boolean
  actions?: readonly LiveAction[]
  origins: Readonly<Partial<Record<DefinitionPart, ToolOrigin>>>
  /** Repairs in the program's description, and texts of the table that do not fit it. */
  warnings: readonly Diagnostic[]
}

/** Whether a tool's executable must be asked for its description. Then `parameters` are overrides. */
export function needsDescription({
  command,
  parameters,
  describe,
  replace = false,
}: ToolConfiguration): boolean {
  if (describe !== undefined && parameters) return describe
  if (replace || !parameters) return !replace
  return Object.values(parameters).some(isPartial) && !PLACEHOLDER.test(JSON.stringify(command))
}

/** Whether a description of the executable, if it has one, is replaced by a table that does not say so. */
export function isUnasked(tool: ToolConfiguration): boolean {
  const { command, describe, replace } = tool
  const isSaid = describe !== undefined || replace !== undefined
  return !isSaid && !needsDescription(tool) && !PLACEHOLDER.test(JSON.stringify(command))
}

/** A command with the arguments in its words is for a program that does not read them from its input, so it describes nothing. */
const PLACEHOLDER = /\{\{\s*tool\.arguments\b/

/** The keywords that say what values a parameter takes. */
const KINDS = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref', 'items', 'properties']

/** Whether a parameter does not say what values it takes, so that it can only change the description of another one. */
function isPartial(parameter: ParameterDefinition): boolean {
  return !KINDS.some((keyword) => Object.hasOwn(parameter, keyword))
}

/** Returns a tool that its configuration describes. */
export function defineFromConfiguration(name: string, tool: ToolConfiguration): WorkspaceTool {
  const definition = {
    name,
    ...getOwnTexts(tool),
    inputSchema: parametersToSchema(tool.parameters ?? {}),
  }
  return {
    definition,
    entry: getEntry(name, tool),
    origins: getOrigins(definition, tool, 'configuration'),
    warnings: tool.pin ? [{ path: ['tools', name, 'pin'], message: NOTHING_TO_PIN }] : [],
  }
}

const NOTHING_TO_PIN =
  'this tool has "parameters", so it is not asked for its description and there is nothing to pin; remove "parameters" or "pin"'

/** Returns a tool that its executable describes, with the overrides of the configuration. */
export function defineFromDescription(
  name: string,
  tool: ToolConfiguration,
  described: Description,
): { ok: true; defined: WorkspaceTool } | { ok: false; message: string } {
  if (!described.ok) return { ok: false, message: `${described.message}${explainAsked(tool)}` }
  const entry = getEntry(name, tool)
  const description = described.tools.find((each) => each.name === entry)
  if (!description) return { ok: false, message: explainMissing(entry, described.tools) }
  const unusable = new Map(Object.entries(described.unusable)).get(entry)
  if (unusable !== undefined) return { ok: false, message: unusable }
  const own = { ...descriptionToDefinition(description), name }
  const { definition, problems } = mergeToolOverrides(own, {
    ...getOwnTexts(tool),
    ...(tool.parameters && { parameters: tool.parameters }),
  })
  const { stateful, actions } = description
  const live = { ...(stateful !== undefined && { stateful }), ...(actions && { actions }) }
  return {
    ok: true,
    defined: {
      definition,
      entry,
      described: { ...own, ...live },
      ...live,
      origins: getOrigins(definition, tool, 'executable'),
      warnings: problems.map((problem) => placeToolProblem(name, problem)),
    },
  }
}

/** Returns the name of the tool in its executable: the name after `local.`, or otherwise the name in the configuration. */
export function getEntry(name: string, { source }: ToolConfiguration): string {
  return source.startsWith('local.') ? source.slice('local.'.length) : name
}

const TEXT_FIELDS = ['title', 'summary', 'description', 'examples'] as const

type OwnTexts = Pick<ToolConfiguration, (typeof TEXT_FIELDS)[number]>

/** Returns the texts of a tool's table. */
export function getOwnTexts(tool: OwnTexts): OwnTexts {
  return Object.fromEntries(
    TEXT_FIELDS.flatMap((word) => (tool[word] === undefined ? [] : [[word, tool[word]]])),
  )
}

/** The placeholder for the tool's own text. */
const QUOTES_TOOL = /\{\{\s*description\s*\}\}/

/** Returns the source of each part of a tool that `describer` described, or of its table alone. */
export function getOrigins(
  definition: ToolDefinition,
  tool: OwnTexts & Pick<ToolConfiguration, 'parameters'>,
  describer: 'configuration' | 'executable' | 'server',
): WorkspaceTool['origins'] {
  const textOrigins = TEXT_FIELDS.filter((word) => definition[word] !== undefined).map(
    (word): [DefinitionPart, ToolOrigin] => {
      if (tool[word] === undefined) return [word, describer]
      return [
        word,
        describer !== 'configuration' && QUOTES_TOOL.test(tool[word] ?? '')
          ? 'both'
          : 'configuration',
      ]
    },
  )
  const isChanged = describer !== 'configuration' && Object.keys(tool.parameters ?? {}).length > 0
  return Object.fromEntries([...textOrigins, ['inputSchema', isChanged ? 'both' : describer]])
}

/** Says why a program with parameters in its table was asked for its description, if no key says so. */
function explainAsked({ parameters = {}, describe }: ToolConfiguration): string {
  const partial = Object.entries(parameters).flatMap(([name, each]) =>
    isPartial(each) ? [name] : [],
  )
  return describe !== undefined || partial.length === 0
    ? ''
    : `. It was asked because its table gives no type of ${partial.join(', ')}. Write the types, or replace = true if the table describes all of the tool`
}

function explainMissing(entry: string, tools: readonly ToolDescription[]): string {
  const names = tools.map(({ name }) => name)
  const known = formatSuggestions(entry, names, 'it describes')
  return `its executable describes no tool ${JSON.stringify(entry)}${known}. Name one of them: source = "local.NAME"`
}

/** Creates one tool of a configuration, or returns what is wrong with its table. */
export function createEntry(
  name: string,
  tool: ToolConfiguration,
  defined: WorkspaceTool,
  options: LocalToolOptions = {},
): { ok: true; entry: ToolEntry } | { ok: false; problems: readonly Diagnostic[] } {
  try {
    const entry = {
      tool: (tool.pty ? createPtyTool : createLocalTool)(toLocalTool(tool, defined), options),
      source: tool.source,
      ...(tool.run && { policy: tool.run }),
      ...(tool.options && { options: tool.options }),
      ...(tool.questions && { routes: toRoutes(tool.questions) }),
      ...(tool.on_turn_end && { onTurnEnd: tool.on_turn_end }),
      ...(tool.deduplicate !== undefined && { deduplicate: tool.deduplicate }),
      ...(tool.defer !== undefined && { defer: tool.defer }),
    }
    return { ok: true, entry }
  } catch (error) {
    if (!(error instanceof LocalToolError)) throw error
    const names = getArguments(defined)
    return {
      ok: false,
      problems: error.problems.map((problem) => {
        const located = placeToolProblem(name, problem)
        return { ...located, message: `${located.message}${suggestParameter(problem, names)}` }
      }),
    }
  }
}

/** Shapes the tool of a table as its keys say, or returns what does not fit the tool. */
export async function shapeEntry<Entry extends ToolEntry>(
  name: string,
  entry: Entry,
  { select, fixed, hidden }: Pick<ToolConfiguration, 'select' | 'fixed' | 'hidden'>,
): Promise<{ ok: true; entry: Entry } | { ok: false; problems: readonly Diagnostic[] }> {
  if (select === undefined && fixed === undefined && hidden === undefined)
    return { ok: true, entry }
  const shaped = await shapeTool(entry.tool, {
    ...(select && { select }),
    ...(fixed && { fixed }),
    ...(hidden && { hidden }),
  })
  return shaped.ok
    ? { ok: true, entry: { ...entry, ...shaped.entry } }
    : { ok: false, problems: shaped.problems.map((problem) => placeToolProblem(name, problem)) }
}

/** Checks the source of a tool. */
export function checkSource(name: string, { source }: ToolConfiguration): Diagnostic | undefined {
  if (source.split('.', 1)[0] === 'local') return undefined
  return { path: ['tools', name, 'source'], message: unknownSource(source) }
}

/** Returns a problem of a tool's table with its place in the configuration. */
export function placeToolProblem(name: string, { path, message }: Problem): Diagnostic {
  return { path: ['tools', name, ...splitPointer(path)], message }
}

function getArguments({ definition: { inputSchema } }: WorkspaceTool): readonly string[] {
  return Object.keys(Object(Reflect.get(Object(inputSchema), 'properties')))
}

function suggestParameter({ code, got }: Problem, names: readonly string[]): string {
  return code === 'unknown-argument' && got !== undefined ? didYouMean(got.slice(1, -1), names) : ''
}

function toLocalTool(tool: ToolConfiguration, defined: WorkspaceTool): LocalToolDefinition {
  const { stateful = defined.stateful, actions = defined.actions, parameters = {} } = tool
  // Only from the configuration: a program's own description cannot allow a model to write what it runs.
  const codeArguments = findMarkedArguments(parameters, 'code')
  const dashArguments = findMarkedArguments(parameters, 'allow_dash')
  return {
    ...defined.definition,
    command: tool.command,
    ...(codeArguments.length > 0 && { codeArguments }),
    ...(dashArguments.length > 0 && { dashArguments }),
    toolName: defined.entry,
    ...(tool.timeout_secs !== undefined && { timeoutMs: Math.ceil(tool.timeout_secs * 1000) }),
    ...(tool.env && { env: tool.env }),
    ...(tool.leftover_processes && { leftoverProcesses: tool.leftover_processes }),
    ...(tool.dialect && { dialect: tool.dialect }),
    ...(tool.format_arguments && { formatsArguments: true }),
    ...(stateful && { stateful: true }),
    ...(actions && { actions }),
  }
}

/** Converts the tables of questions to the executor's format, by question id. */
export function toRoutes(questions: NonNullable<ToolConfiguration['questions']>): QuestionRoutes {
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
