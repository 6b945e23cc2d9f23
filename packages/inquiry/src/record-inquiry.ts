import { type InquiryEvent, PORT_GRACE_MS, withinGrace } from '@toolblocks/protocol'
import { notSettled } from './inquiry-problem.ts'

/** Records an event; a question is put only once it is recorded. */
export type RecordInquiry = (event: InquiryEvent) => void | Promise<void>

/** The same, but rejecting where a record does not settle after an abort: the call is over then. */
export function withRecordGrace(
  record: RecordInquiry,
  signal: AbortSignal,
): (event: InquiryEvent) => Promise<void> {
  return async (event) =>
    await withinGrace(async () => await record(event), {
      signal,
      ms: PORT_GRACE_MS,
      whenLate: failToRecord,
    })
}

function failToRecord(): never {
  throw new Error(notSettled('what records questions and answers', PORT_GRACE_MS).message)
}
