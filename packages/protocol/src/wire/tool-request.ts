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

/** What a host asks of an executable. */
export type Action = (typeof ACTIONS)[number]

/** The JSON document an executable gets on stdin. */
export interface ToolRequest {
  /** Live tools only: the reply carries it in `_meta["toolblocks/re"]`. */
  seq?: number
  /** Where and why the tool is started. */
  context: {
    action: Action
    /** Absolute path of the workspace. */
    root: string
    /** What the tool may touch; `null` or absent: nothing is said. */
    access: unknown
    /** The host's name of the workspace. Absent: it is not told. */
    workspace_id?: string
    /** The host's name of the conversation. Absent: it is not told. */
    conversation_id?: string
  }
  /** Absent for `schema`. */
  tool?: {
    name: string
    /** What the model gave, checked against the schema; absent where there is no call. */
    arguments?: Readonly<Record<string, unknown>>
    answers?: Answers
    /** The tool's own settings, from the configuration. */
    options?: Readonly<Record<string, unknown>>
    input?: JsonValue
  }
}

/** Says whether a value is an `Action`. */
export function isAction(value: unknown): value is Action {
  return isOneOf(ACTIONS)(value)
}

/** Says whether a value is a `ToolRequest`: for tools, which get it from a host. */
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
    mayHave(value, 'conversation_id', isString)
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
