import {
  type JsonValue,
  has,
  isCount,
  isJsonObject,
  isOneOf,
  isString,
  mayHave,
} from '../json/json.ts'
import { isJsonValue } from '../json/is-json.ts'
import { type Answers, isAnswers } from '../questions/answer.ts'

/** All actions. */
export const ACTIONS = [
  'run',
  'format_arguments',
  'schema',
  'spawn',
  'fetch',
  'apply',
  'abort',
] as const

/** A request of a host to an executable. */
export type Action = (typeof ACTIONS)[number]

/** The JSON document that an executable receives on stdin. */
export interface ToolRequest {
  /** Stateful tools only: the reply has it in `_meta["toolblocks/re"]`. */
  seq?: number
  /** The context of the request. */
  context: {
    action: Action
    /** Absolute path of the workspace. */
    root: string
    /** What the tool may access; `null` or absent: unknown. */
    access: unknown
    /** The host's name of the workspace. Absent: unknown. */
    workspace_id?: string
    /** The host's name of the conversation. Absent: unknown. */
    conversation_id?: string
    /** The id of the call, as the host has it: for `run`, `format_arguments` and `spawn`. */
    call_id?: string
  }
  /** Absent for `schema`. */
  tool?: {
    name: string
    /** The model's arguments, validated against the schema. Absent if there is no call. */
    arguments?: Readonly<Record<string, unknown>>
    answers?: Answers
    /** The tool's own settings, from the configuration. */
    options?: Readonly<Record<string, unknown>>
    input?: JsonValue
  }
}

/** Whether a value is an `Action`. */
function isAction(value: unknown): value is Action {
  return isOneOf(ACTIONS)(value)
}

/** Whether a value is a `ToolRequest`: for tools, which receive it from a host. */
export function isToolRequest(value: unknown): value is ToolRequest {
  return (
    isJsonObject(value) &&
    mayHave(value, 'seq', isCount) &&
    has(value, 'context', isContext) &&
    mayHave(value, 'tool', isRequestedTool)
  )
}

function isContext(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    has(value, 'action', isAction) &&
    has(value, 'root', isString) &&
    mayHave(value, 'workspace_id', isString) &&
    mayHave(value, 'conversation_id', isString) &&
    mayHave(value, 'call_id', isString)
  )
}

function isRequestedTool(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    has(value, 'name', isString) &&
    mayHave(value, 'arguments', isJsonObject) &&
    mayHave(value, 'answers', isAnswers) &&
    mayHave(value, 'options', isJsonObject) &&
    mayHave(value, 'input', isJsonValue)
  )
}
