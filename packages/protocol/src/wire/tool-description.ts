import { has, isArrayOf, isJsonObject, isString, mayHave } from '../fields.ts'
import {
  isParameterDefinition,
  type ParameterDefinition,
} from '../parameters/parameter-definition.ts'

/** How one tool of an executable describes itself. */
export interface ToolDescription {
  name: string
  title?: string
  summary?: string
  description?: string
  examples?: string
  /** By name; `{}` for none. */
  parameters: Readonly<Record<string, ParameterDefinition>>
}

/** The answer to the action `schema`. */
export interface ToolDescriptions {
  tools: readonly ToolDescription[]
}

/** Says whether a value is a `ToolDescription`. */
export function isToolDescription(value: unknown): value is ToolDescription {
  return (
    isJsonObject(value) &&
    has(value, 'name', isString) &&
    mayHave(value, 'title', isString) &&
    mayHave(value, 'summary', isString) &&
    mayHave(value, 'description', isString) &&
    mayHave(value, 'examples', isString) &&
    has(value, 'parameters', areParameters)
  )
}

/** Says whether a value is a `ToolDescriptions` document: an answer to the action `schema`. */
export function isToolDescriptions(value: unknown): value is ToolDescriptions {
  return isJsonObject(value) && has(value, 'tools', (tools) => isArrayOf(tools, isToolDescription))
}

function areParameters(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).every(isParameterDefinition)
}
