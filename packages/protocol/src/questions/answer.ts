import type { ContentBlock } from '../content/content-block.ts'
import {
  type JsonValue,
  getOwnField,
  has,
  isJsonObject,
  isOneOf,
  isString,
  mayHave,
} from '../json/json.ts'
import { isJsonValue } from '../json/is-json.ts'
import type { Problem } from '../json/problem.ts'
import type { ToolCall } from '../tools/tool-call.ts'
import type { InputRequest } from '../content/input-request.ts'

/** All reasons of a cancellation. */
export const CANCEL_REASONS = [
  'user',
  'expired',
  'nobody',
  'end-of-input',
  'aborted',
  'wrong-answer',
  'failed',
] as const

/**
 * Why a question ended without an answer. `expired`: no answer came in time. `nobody`: nobody could be asked. `wrong-answer`: a person's answers did not fit.
 * `failed`: whoever answers broke, or a model's answers did not fit.
 */
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** What came of a question. Declining is an answer; cancelling is not. */
export type Answer =
  | { action: 'accept'; value: JsonValue }
  | { action: 'decline' }
  /** `message`: the reason in words, for whoever reads the result; one line. */
  | { action: 'cancel'; reason: CancelReason; message?: string }

/** Accepted values so far, by question id. */
export type Answers = Readonly<Record<string, JsonValue>>

/** Where a question comes from; it decides who may answer. */
export type QuestionSource =
  | { kind: 'question'; call: ToolCall }
  /** A tool that stays alive: `handle` names it, and `call` is the one that it asks in. */
  | { kind: 'handle'; call: ToolCall; handle: string }
  /** What an MCP server asks: `server` is its name as configured; the page it wants visited is the request's `url`. */
  | { kind: 'elicitation'; call?: ToolCall; server: string }

/** What whoever answers may see and must obey. */
export interface QuestionContext {
  /** All blocks before the question, without earlier questions: what a model is given. */
  blocks: readonly ContentBlock[]
  /** How many of `blocks` this person has seen with earlier questions of the same result. Default 0. */
  shown?: number
  /** With the last question of a result: the blocks after it, which are shown to whoever answers before they answer. */
  after?: readonly ContentBlock[]
  /** The settings that the route of the question has for the model that answers. */
  settings?: unknown
  /** Why the last answer to the same question was not taken. */
  problems?: readonly Problem[]
  source: QuestionSource
  /** Ends the question: the port settles soon after, with `cancel` and reason `aborted`. */
  signal: AbortSignal
}

/**
 * Answers one question: a terminal, a model, a script. Called again for the same question, with `problems`, when its answer did not fit. Must settle
 * once `signal` aborts. A rejection is `cancel` with reason `failed`.
 */
export type AnswerQuestion = (request: InputRequest, context: QuestionContext) => Promise<Answer>

/** Says whether a value is an `Answer`. Whether it fits the question is not checked. */
export function isAnswer(value: unknown): value is Answer {
  if (!isJsonObject(value)) return false
  const action = getOwnField(value, 'action')
  if (action === 'accept') return has(value, 'value', isJsonValue)
  if (action === 'cancel')
    return has(value, 'reason', isOneOf(CANCEL_REASONS)) && mayHave(value, 'message', isString)
  return action === 'decline'
}

/** Says whether a value is `Answers`. */
export function isAnswers(value: unknown): value is Answers {
  return isJsonObject(value) && isJsonValue(value)
}
