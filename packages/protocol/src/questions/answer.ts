import type { ContentBlock } from '../content/content-block.ts'
import type { JsonValue } from '../json.ts'
import type { ToolCall } from '../tools/tool-call.ts'
import type { InputRequest } from './input-request.ts'

/** Why a question ended without an answer. */
export type CancelReason = 'user' | 'timeout' | 'nobody' | 'end-of-input' | 'aborted'

/** What came of a question. Declining is an answer; cancelling is not. */
export type Answer =
  | { action: 'accept'; value: JsonValue }
  | { action: 'decline' }
  | { action: 'cancel'; reason: CancelReason }

/** Accepted values so far, by question id. */
export type Answers = Readonly<Record<string, JsonValue>>

/** Where a question comes from; it decides who may answer. */
export type QuestionSource =
  | { kind: 'question'; call: ToolCall }
  | { kind: 'handle'; call: ToolCall; handle: string }
  | { kind: 'elicitation'; call?: ToolCall; server: string; url?: string }

/** What whoever answers may see and must obey. */
export interface QuestionContext {
  /** The blocks before the question. */
  blocks: readonly ContentBlock[]
  source: QuestionSource
  signal: AbortSignal
}

/** Answers one question: a terminal, a model, a script. Must settle once `signal` aborts. */
export type AnswerQuestion = (request: InputRequest, context: QuestionContext) => Promise<Answer>
