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

/** What a model and a person need to know of a tool. */
export interface ToolDefinition {
  /** Unique among the tools of an executor. */
  name: string
  /** For people, instead of the name. */
  title?: string
  /** One or two sentences, sent with every request. */
  summary?: string
  /** The whole story, given on demand where a `summary` exists. */
  description?: string
  /** How the tool is used, in Markdown; given on demand. */
  examples?: string
  /** Of the arguments: an object schema. */
  inputSchema: JsonSchema
  /** Of `structuredContent`. */
  outputSchema?: JsonSchema
  /** MCP's hints, such as `readOnlyHint`; claims, never permissions. */
  annotations?: Readonly<Record<string, unknown>>
  /** MCP's icons, as they came; nobody fetches them unasked. */
  icons?: readonly unknown[]
  _meta?: Meta
}

/** Says whether a value is a `ToolDefinition`. The schemas' insides are not checked. */
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

/** Whether an object has a tool's name, and what is said of it as text. */
export function hasToolWords(object: JsonObject): boolean {
  return (
    has(object, 'name', isString) &&
    mayHave(object, 'title', isString) &&
    mayHave(object, 'summary', isString) &&
    mayHave(object, 'description', isString) &&
    mayHave(object, 'examples', isString)
  )
}
