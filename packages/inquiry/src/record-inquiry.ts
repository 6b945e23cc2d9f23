import type { InquiryEvent } from '@toolblocks/protocol'

/** Records an event; a question is put only once it is recorded. */
export type RecordInquiry = (event: InquiryEvent) => void | Promise<void>
