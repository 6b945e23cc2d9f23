import type { JsonValue } from '../json.ts'

/** One parameter, in the shape of the configuration and of a self-description (specs/001). */
export interface ParameterDefinition {
  type?: string | readonly string[]
  summary?: string
  description?: string
  /** Absent: required unless there is a `default`. */
  required?: boolean
  default?: JsonValue
  enum?: readonly JsonValue[]
  items?: ParameterDefinition
  properties?: Readonly<Record<string, ParameterDefinition>>
  examples?: readonly JsonValue[]
  /** Any other JSON Schema keyword travels unchanged. */
  [keyword: string]: unknown
}

/** How one tool of an executable describes itself. */
export interface ToolDescription {
  name: string
  title?: string
  summary?: string
  description?: string
  examples?: string
  parameters: Readonly<Record<string, ParameterDefinition>>
}

/** The answer to the action `schema`. */
export interface ToolDescriptions {
  tools: readonly ToolDescription[]
}
