import {
  type JsonValue,
  getOwnField,
  has,
  isBoolean,
  isCount,
  isJsonObject,
  isOneOf,
  isString,
  mayHave,
} from '../json/json.ts'
import { isJsonValue } from '../json/is-json.ts'
import type { CancelReason } from './answer.ts'
import { isInputRequest, type InputRequest } from '../content/input-request.ts'

/** All answerers of a question. */
const ASKED_PARTIES = ['static', 'user', 'assistant', 'nobody'] as const

/** The answerer of a question. `static` is an answer from the configuration or a default. */
export type AskedParty = (typeof ASKED_PARTIES)[number]

/** The answer as it is recorded. `redacted`: its value is a secret, which is never recorded. */
export type RecordedAnswer =
  | { action: 'accept'; value: JsonValue }
  | { action: 'accept'; redacted: true }
  | { action: 'decline' }
  | { action: 'cancel'; reason: CancelReason }

/** The common fields of both events of a question. */
interface EventFields {
  /** `<call id>.<question id>.<attempt>`. Opaque to readers; the same for a question and its answer. */
  id: string
  callId: string
}

/** A question before it is asked, or its answer: events of a conversation. */
export type InquiryEvent =
  | (EventFields & {
      type: 'question'
      question: InputRequest
      asked: AskedParty
      /** How many more questions of the same result follow; until all have answers, the tool does not run. Absent: none follows. */
      more?: number
      /** Whether the call can be made again to use the answer. Default: false; then the question ends with its host. */
      isRepeatable?: boolean
    })
  | (EventFields & { type: 'answer' } & RecordedAnswer)

/** Whether a value is an `InquiryEvent`. Cancellation reasons of newer versions are allowed. */
export function isInquiryEvent(value: unknown): value is InquiryEvent {
  if (!isJsonObject(value) || !has(value, 'id', isString) || !has(value, 'callId', isString))
    return false
  const type = getOwnField(value, 'type')
  if (type === 'question')
    return (
      has(value, 'question', isInputRequest) &&
      has(value, 'asked', isOneOf(ASKED_PARTIES)) &&
      mayHave(value, 'more', isCount) &&
      mayHave(value, 'isRepeatable', isBoolean)
    )
  if (type !== 'answer') return false
  const action = getOwnField(value, 'action')
  if (action === 'accept')
    return getOwnField(value, 'redacted') === true || has(value, 'value', isJsonValue)
  if (action === 'cancel') return has(value, 'reason', isString)
  return action === 'decline'
}
