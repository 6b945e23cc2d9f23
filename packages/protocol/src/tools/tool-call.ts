import { has, isJsonObject, isString } from '../json/fields.ts'

/** One use of a tool, as a model or person asked for it. */
export interface ToolCall {
  /** Given by the model's provider or the host; unique in a turn, not for ever. */
  id: string
  /** Of the tool, as in its definition. */
  name: string
  /** By parameter name, as they came until the executor has completed them. */
  arguments: Readonly<Record<string, unknown>>
}

/** Says whether a value is a `ToolCall`. Whether the arguments fit the tool is not checked. */
export function isToolCall(value: unknown): value is ToolCall {
  return (
    isJsonObject(value) &&
    has(value, 'id', isString) &&
    has(value, 'name', isString) &&
    has(value, 'arguments', isJsonObject)
  )
}
