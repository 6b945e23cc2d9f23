import { LIVE_ACTIONS, type LiveAction } from '../calls/tool.ts'
import {
  type JsonSchema,
  has,
  isArrayOf,
  isBoolean,
  isJsonObject,
  isOneOf,
  mayHave,
} from '../json/json.ts'
import { isJsonSchema, isSameJson } from '../json/is-json.ts'
import {
  type ParameterDefinition,
  isParameterDefinition,
} from '../parameters/parameter-definition.ts'
import { parametersToSchema, schemaToParameters } from '../parameters/parameters-to-schema.ts'
import { type ToolDefinition, hasToolWords } from '../tools/tool-definition.ts'

/** How one tool of an executable describes itself (docs/protocol.md). */
export interface ToolDescription extends Omit<ToolDefinition, 'inputSchema' | 'icons' | '_meta'> {
  /** By name. Absent, like `{}`: it takes none. */
  parameters?: Readonly<Record<string, ParameterDefinition>>
  /** Of the arguments, where `parameters` cannot say it (recursion, `$defs`); it wins over them. */
  inputSchema?: JsonSchema
  /** The tool stays alive between the live actions. Default: false. */
  stateful?: boolean
  /** Which of them it knows; `spawn` is one. Default: all four. */
  actions?: readonly LiveAction[]
}

/** The answer to the action `schema`. */
export interface ToolDescriptions {
  tools: readonly ToolDescription[]
}

/** Says whether a value is a `ToolDescription`. */
export function isToolDescription(value: unknown): value is ToolDescription {
  return (
    isJsonObject(value) &&
    hasToolWords(value) &&
    mayHave(value, 'parameters', areParameters) &&
    mayHave(value, 'inputSchema', isJsonSchema) &&
    mayHave(value, 'outputSchema', isJsonSchema) &&
    mayHave(value, 'annotations', isJsonObject) &&
    mayHave(value, 'stateful', isBoolean) &&
    mayHave(value, 'actions', isArrayOf(isOneOf(LIVE_ACTIONS)))
  )
}

/** Says whether a value is a `ToolDescriptions` document: an answer to the action `schema`. */
export function isToolDescriptions(value: unknown): value is ToolDescriptions {
  return isJsonObject(value) && has(value, 'tools', isArrayOf(isToolDescription))
}

function areParameters(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isParameterDefinition)
}

/**
 * What a model and a person need to know of a tool that describes itself. The long texts of its parameters, which no
 * schema has room for beside their summaries, stand at the end of its `description`.
 */
export function descriptionToDefinition(description: ToolDescription): ToolDefinition {
  const {
    parameters = {},
    inputSchema,
    stateful: _stateful,
    actions: _actions,
    ...own
  } = description
  const details = getDetails(parameters)
  const text = [own.description, details].filter((part) => part !== undefined && part !== '')
  return {
    ...own,
    ...(text.length > 0 && { description: text.join('\n\n') }),
    inputSchema: inputSchema ?? parametersToSchema(parameters),
  }
}

/**
 * The arguments of a tool as a description carries them: as `parameters`, and as `inputSchema` too where parameters
 * cannot say all of it (`$defs`, recursion, an open object).
 */
export function schemaToArguments(
  schema: JsonSchema,
): Pick<ToolDescription, 'parameters' | 'inputSchema'> {
  const parameters = schemaToParameters(schema)
  return {
    parameters,
    ...(!isSameJson(parametersToSchema(parameters), schema) && { inputSchema: schema }),
  }
}

function getDetails(parameters: Readonly<Record<string, ParameterDefinition>>): string {
  return Object.entries(parameters)
    .flatMap(([name, { summary, description }]) =>
      summary === undefined || description === undefined
        ? []
        : [`### \`${name}\`\n\n${description}`],
    )
    .join('\n\n')
}
