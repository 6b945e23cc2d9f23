import { type Meta, has, isJsonObject, isString, mayHave } from '../json/json.ts'
import type { Problem } from '../json/problem.ts'

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

/** What a person decides about a call. Edited `arguments` are checked again before anything runs. */
export type Approval =
  | { decision: 'allowed'; arguments?: ToolCall['arguments'] }
  /** `reason`: what the person said about it. */
  | { decision: 'denied'; reason?: string }
  /** Nothing was decided: the question was cancelled. */
  | { decision: 'cancelled' }

/** Says to a model what to change in the arguments of a call: each field, what was expected, what came. */
export function describeBadArguments(tool: string, problems: readonly Problem[]): string {
  const lines = problems.map((problem) => `- ${problem.path || '(arguments)'}: ${problem.message}`)
  return [
    `Invalid arguments for the tool ${JSON.stringify(tool)}; the call was not run.`,
    ...lines,
    'Correct these arguments and call the tool again.',
  ].join('\n')
}
