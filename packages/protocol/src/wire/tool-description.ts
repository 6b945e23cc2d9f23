import { has, isArrayOf, isBoolean, isJsonObject, isOneOf, mayHave } from '../json/fields.ts'
import { isJsonSchema } from '../json/is-json.ts'
import type { JsonSchema } from '../json/json.ts'
import {
  isParameterDefinition,
  type ParameterDefinition,
} from '../parameters/parameter-definition.ts'
import { hasToolWords } from '../tools/tool-definition.ts'
import { LIVE_ACTIONS, type LiveAction } from '../tools/tool.ts'

/** How one tool of an executable describes itself (docs/protocol.md). */
export interface ToolDescription {
  name: string
  title?: string
  /** One or two sentences, sent with every request. */
  summary?: string
  /** The whole story, in Markdown; given on demand where there is a `summary`. */
  description?: string
  examples?: string
  /** By name. Absent, like `{}`: it takes none. */
  parameters?: Readonly<Record<string, ParameterDefinition>>
  /** Of the arguments, where `parameters` cannot say it (recursion, `$defs`); it wins over them. */
  inputSchema?: JsonSchema
  outputSchema?: JsonSchema
  /** MCP's hints, such as `readOnlyHint`; claims, never permissions. */
  annotations?: Readonly<Record<string, unknown>>
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
    mayHave(value, 'actions', (actions) => isArrayOf(actions, isLiveAction))
  )
}

/** Says whether a value is a `ToolDescriptions` document: an answer to the action `schema`. */
export function isToolDescriptions(value: unknown): value is ToolDescriptions {
  return isJsonObject(value) && has(value, 'tools', (tools) => isArrayOf(tools, isToolDescription))
}

function isLiveAction(value: unknown): value is LiveAction {
  return isOneOf(LIVE_ACTIONS, value)
}

function areParameters(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isParameterDefinition)
}
