import { requireArguments } from '../text/require-arguments.ts'
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

/** An executable's description of one of its tools (docs/protocol.md). */
export interface ToolDescription extends Omit<ToolDefinition, 'inputSchema' | 'icons' | '_meta'> {
  /** The parameters by name. Absent, like `{}`: no parameters. */
  parameters?: Readonly<Record<string, ParameterDefinition>>
  /** The schema of the arguments, if `parameters` cannot express it (recursion, `$defs`). It overrides them. */
  inputSchema?: JsonSchema
  /** Whether the tool is stateful. Default: false. */
  stateful?: boolean
  /** The supported actions of a stateful tool; `spawn` is one. Default: all four. */
  actions?: readonly LiveAction[]
}

/** The answer to the action `schema`. */
export interface ToolDescriptions {
  tools: readonly ToolDescription[]
}

/** Whether a value is a `ToolDescription`. */
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

/** Whether a value is a `ToolDescriptions` document: an answer to the action `schema`. */
export function isToolDescriptions(value: unknown): value is ToolDescriptions {
  return isJsonObject(value) && has(value, 'tools', isArrayOf(isToolDescription))
}

function areParameters(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isParameterDefinition)
}

/**
 * Converts a tool's self-description into its definition. Long texts of its parameters, for which a schema has no place beside their summaries, are
 * appended to its `description`.
 */
export function descriptionToDefinition(description: ToolDescription): ToolDefinition {
  requireArguments('descriptionToDefinition(description)', [description, { name: 'string' }])
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
 * Returns the arguments of a tool for its description: as `parameters`, and also as `inputSchema` if parameters cannot express everything (`$defs`,
 * recursion, an open object).
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
