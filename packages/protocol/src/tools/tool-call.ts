import { has, isJsonObject, isString, mayHave } from '../json/fields.ts'
import type { Meta } from '../json/json.ts'

/** One use of a tool, as a model or person asked for it. */
export interface ToolCall {
  /** Given by the model's provider or the host; unique in a turn, not for ever. */
  id: string
  /** Of the tool, as in its definition. */
  name: string
  /** By parameter name, as they came until the executor has completed them. */
  arguments: Readonly<Record<string, unknown>>
  /** What is known beside it: `META_MADE_BY` of a call that a host made, what a provider wants back. */
  _meta?: Meta
}

/** Says whether a value is a `ToolCall`. Whether the arguments fit the tool is not checked. */
export function isToolCall(value: unknown): value is ToolCall {
  return (
    isJsonObject(value) &&
    has(value, 'id', isString) &&
    has(value, 'name', isString) &&
    has(value, 'arguments', isJsonObject) &&
    mayHave(value, '_meta', isJsonObject)
  )
}
