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
  'withdrawn',
  'wrong-answer',
  'failed',
] as const

/**
 * Why a question ended without an answer. `expired`: no answer came in time. `nobody`: no person or model was available. `withdrawn`: the
 * host does not ask any more. `wrong-answer`: a person's
 * answers were invalid. `failed`: the answerer threw, or a model's answers were invalid.
 */
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** The result of a question. A decline is an answer; a cancellation is not. */
export type Answer =
  | { action: 'accept'; value: JsonValue }
  | { action: 'decline' }
  /** `message`: the reason in one line, for the reader of the result. */
  | { action: 'cancel'; reason: CancelReason; message?: string }

/** Accepted values until now, by question id. */
export type Answers = Readonly<Record<string, JsonValue>>

/** A question with its answer. */
export interface AnsweredQuestion {
  request: InputRequest
  answer: Answer
  /** The blocks before the question. Default: none. */
  blocks?: readonly ContentBlock[]
}

/** The origin of a question. It decides who may answer. */
export type QuestionSource =
  | { kind: 'question'; call: ToolCall }
  /** A stateful tool. `handle` is its name, and `call` is the call in which it asks. */
  | { kind: 'handle'; call: ToolCall; handle: string }
  /**
   * An MCP server. `server` is its configured name. The page to visit is the request's `url`. `isRepeated`: the server asks again if the call is made
   * again, so the question can wait without a running call. Default: false. `elicitationId`: the server announces with it that a visit is complete.
   */
  | {
      kind: 'elicitation'
      call?: ToolCall
      server: string
      isRepeated?: boolean
      elicitationId?: string
    }

/** Whether the call of a question can be made again with the answer, so that the question can wait without a running call. */
export function isRepeatable(source: QuestionSource): boolean {
  switch (source.kind) {
    case 'question':
      return true
    case 'handle':
      return false
    case 'elicitation':
      return source.isRepeated === true && source.call !== undefined
  }
}

/** The context for an answerer. */
export interface QuestionContext {
  /** All blocks before the question, without earlier questions. A model receives these. */
  blocks: readonly ContentBlock[]
  /** How many of `blocks` this person has seen with earlier questions of the same result. Default: 0. */
  shown?: number
  /** With the last question of a result: the blocks after it, which are shown below it. */
  after?: readonly ContentBlock[]
  /** How many more questions of the same result follow this one. Default: 0. */
  more?: number
  /** The model settings of the question's route. */
  settings?: unknown
  /** Why the previous answer to the same question was invalid. */
  problems?: readonly Problem[]
  source: QuestionSource
  /** Ends the question. The port settles soon after, with `cancel` and reason `aborted`. */
  signal: AbortSignal
}

/**
 * Answers one question: a terminal, a model, a script. Called again for the same question, with `problems`, if the answer was invalid. Must settle
 * once `signal` aborts. A rejection counts as `cancel` with reason `failed`.
 */
export type AnswerQuestion = (request: InputRequest, context: QuestionContext) => Promise<Answer>

/** Whether a value is an `Answer`. Whether it matches the question is not checked. */
export function isAnswer(value: unknown): value is Answer {
  if (!isJsonObject(value)) return false
  const action = getOwnField(value, 'action')
  if (action === 'accept') return has(value, 'value', isJsonValue)
  if (action === 'cancel')
    return has(value, 'reason', isOneOf(CANCEL_REASONS)) && mayHave(value, 'message', isString)
  return action === 'decline'
}

/** Whether a value is `Answers`. */
export function isAnswers(value: unknown): value is Answers {
  return isJsonObject(value) && isJsonValue(value)
}
