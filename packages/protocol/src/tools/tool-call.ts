import { type Meta, has, isJsonObject, isString, mayHave } from '../json/json.ts'
import type { Problem } from '../json/problem.ts'

/** A call of a tool, as a model or a person requested it. */
export interface ToolCall {
  /** The id from the model's provider or the host. Unique in a turn, not forever. */
  id: string
  /** The name of the tool, as in its definition. */
  name: string
  /** The arguments by parameter name. Unchanged until the executor completes them. */
  arguments: Readonly<Record<string, unknown>>
  /** Additional data: `META_MADE_BY` of a call that a host made, data that goes back to a provider. */
  _meta?: Meta
}

/** Whether a value is a `ToolCall`. Whether the arguments match the tool's schema is not checked. */
export function isToolCall(value: unknown): value is ToolCall {
  return (
    isJsonObject(value) &&
    has(value, 'id', isString) &&
    has(value, 'name', isString) &&
    has(value, 'arguments', isJsonObject) &&
    mayHave(value, '_meta', isJsonObject)
  )
}

/** A person's decision about a call. Edited `arguments` are checked again before anything runs. */
export type Approval =
  | { decision: 'allowed'; arguments?: ToolCall['arguments'] }
  /** `reason`: the person's comment. */
  | { decision: 'denied'; reason?: string }
  /** There was no decision, because the question was cancelled. */
  | { decision: 'cancelled' }
  /** There was no decision in time. */
  | { decision: 'expired' }

/** Describes for a model what to correct in the arguments of a call: each field, what was expected, and what was sent. */
export function describeBadArguments(tool: string, problems: readonly Problem[]): string {
  const lines = problems.map((problem) => `- ${problem.path || '(arguments)'}: ${problem.message}`)
  return [
    `Invalid arguments for the tool ${JSON.stringify(tool)}; the call was not run.`,
    ...lines,
    'Correct these arguments and call the tool again.',
  ].join('\n')
}
