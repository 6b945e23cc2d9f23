import { type JsonValue, getOwnField, has, isJsonObject, isOneOf, isString } from '../json/json.ts'
import { isJsonValue } from '../json/is-json.ts'
import type { CancelReason } from './answer.ts'
import { isInputRequest, type InputRequest } from '../content/input-request.ts'

/** All that a question can go to. */
const ASKED_PARTIES = ['static', 'user', 'assistant', 'nobody'] as const

/** Who a question goes to; `static` is an answer from the configuration or a default. */
export type AskedParty = (typeof ASKED_PARTIES)[number]

/** The answer as it is recorded. `redacted`: its value is a secret, which nobody records. */
export type RecordedAnswer =
  | { action: 'accept'; value: JsonValue }
  | { action: 'accept'; redacted: true }
  | { action: 'decline' }
  | { action: 'cancel'; reason: CancelReason }

/** What both events of a question have. */
interface EventFields {
  /** `<call id>.<question id>.<attempt>`; opaque to readers, the same for a question and what came of it. */
  id: string
  callId: string
}

/** A question before it is put, or what came of it: events of a conversation. */
export type InquiryEvent =
  | (EventFields & { type: 'question'; question: InputRequest; asked: AskedParty })
  | (EventFields & { type: 'answer' } & RecordedAnswer)

/** Says whether a value is an `InquiryEvent`. Reasons of cancellation from newer versions are allowed. */
export function isInquiryEvent(value: unknown): value is InquiryEvent {
  if (!isJsonObject(value) || !has(value, 'id', isString) || !has(value, 'callId', isString))
    return false
  const type = getOwnField(value, 'type')
  if (type === 'question')
    return has(value, 'question', isInputRequest) && has(value, 'asked', isOneOf(ASKED_PARTIES))
  if (type !== 'answer') return false
  const action = getOwnField(value, 'action')
  if (action === 'accept')
    return getOwnField(value, 'redacted') === true || has(value, 'value', isJsonValue)
  if (action === 'cancel') return has(value, 'reason', isString)
  return action === 'decline'
}
