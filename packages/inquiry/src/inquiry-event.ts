import type { CancelReason, InputRequest, JsonValue } from '@toolblocks/protocol'

/** Who a question went to; `static` is an answer from the configuration. */
export type Asked = 'static' | 'user' | 'assistant' | 'nobody'

/** What came of one try to have a question answered. `redacted`: answered, with a secret nobody records. */
export type Settlement =
  | { outcome: 'answered'; value: JsonValue }
  | { outcome: 'redacted' }
  | { outcome: 'declined' }
  | { outcome: 'cancelled'; reason: CancelReason | 'wrong-answer' }

/** A question before it is routed, or what came of it. */
export type InquiryEvent =
  | { type: 'question'; id: string; callId: string; question: InputRequest; asked: Asked }
  | ({ type: 'answer'; id: string; callId: string } & Settlement)

/** Records an event; a question is asked only once it is recorded. */
export type RecordInquiry = (event: InquiryEvent) => void | Promise<void>
