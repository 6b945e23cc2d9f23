import {
  type JsonObject,
  type JsonSchema,
  type Meta,
  has,
  isJsonObject,
  isString,
  mayHave,
} from '../json/json.ts'
import { isJsonSchema } from '../json/is-json.ts'

/** The description of a tool for a model and a person. */
export interface ToolDefinition {
  /** Unique among the tools of an executor. */
  name: string
  /** Shown to people instead of the name. */
  title?: string
  /** One or two sentences, sent with every request. */
  summary?: string
  /** The full description. If a `summary` exists, it is only sent on request. */
  description?: string
  /** How to use the tool, in Markdown. Sent on request. */
  examples?: string
  /** The JSON Schema of the arguments: an object schema. */
  inputSchema: JsonSchema
  /** The JSON Schema of `structuredContent`, or of its `data` if that is a semantic value. */
  outputSchema?: JsonSchema
  /** MCP's hints, such as `readOnlyHint`. They are claims, never permissions. */
  annotations?: Readonly<Record<string, unknown>>
  /** MCP's icons, unchanged. They are never fetched without permission. */
  icons?: readonly unknown[]
  _meta?: Meta
}

/** Whether a value is a `ToolDefinition`. The inside of the schemas is not checked. */
export function isToolDefinition(value: unknown): value is ToolDefinition {
  return (
    isJsonObject(value) &&
    hasToolWords(value) &&
    has(value, 'inputSchema', isJsonSchema) &&
    mayHave(value, 'outputSchema', isJsonSchema) &&
    mayHave(value, 'annotations', isJsonObject) &&
    mayHave(value, 'icons', Array.isArray) &&
    mayHave(value, '_meta', isJsonObject)
  )
}

/** Whether an object has a valid tool name and texts. */
export function hasToolWords(object: JsonObject): boolean {
  return (
    has(object, 'name', isString) &&
    mayHave(object, 'title', isString) &&
    mayHave(object, 'summary', isString) &&
    mayHave(object, 'description', isString) &&
    mayHave(object, 'examples', isString)
  )
}
