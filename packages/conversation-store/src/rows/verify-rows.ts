import {
  type EventRow,
  type ChainHead,
  type StoredHead,
  getChain,
  equalHash,
  hashScrubbed,
} from './event-row.ts'
import type { SearchRowsResult, RowSpan } from './event-rows.ts'
import { type StoreProblem, damagedEvent } from '../problems/store-error.ts'

/** Returns the problems of one row, given the row before it. `path` is the `seq` of the row. */
export function verifyRow(
  conversation: string,
  previous: ChainHead,
  row: EventRow,
): StoreProblem[] {
  const damage = { path: `/${row.seq}`, code: 'damaged-event' } as const
  const problems: StoreProblem[] = []
  if (row.seq !== previous.seq + 1)
    problems.push({
      ...damage,
      message: `${row.seq - previous.seq - 1} events before event ${row.seq} are missing`,
    })
  if (!isAsWritten(conversation, previous.chain, row))
    problems.push({
      ...damage,
      message: `the bytes, the time, the place or the link of event ${row.seq} differ from those that were written`,
    })
  return problems
}

/** Returns the problems of the end of a conversation; `last` is its last row. */
export function verifyHead(last: ChainHead, head: StoredHead): StoreProblem[] {
  const damage = { path: `/${head.seq}`, code: 'damaged-event' } as const
  if (!head.isIntact)
    return [{ ...damage, message: 'the data of the conversation beside its events is damaged' }]
  if (endsAt(last, head)) return []
  const message = `the conversation ends with event ${last.seq}, but event ${head.seq} was written last`
  return [{ ...damage, message }]
}

/**
 * Returns the rows of a page after verifying all of them: every row has its own content and follows the row before it, none is missing, and the
 * last row of the conversation is the one in its head.
 *
 * @throws StoreError with code `damaged`, the conversation and the `seq` of what cannot be verified.
 */
export function provePage(
  conversation: string,
  span: RowSpan,
  { rows, previous, head }: SearchRowsResult,
): readonly EventRow[] {
  const damaged = (seq: number, reason: string): Error => damagedEvent(conversation, seq, reason)
  if (!head.isIntact)
    throw damaged(head.seq, 'the data of the conversation beside its events has changed')
  if (span.last < span.first) return []
  if (!previous) throw damaged(span.first - 1, 'it is missing')
  let last: ChainHead = { seq: span.first - 1, chain: previous }
  for (const row of rows) {
    const seq = last.seq + 1
    if (row.seq !== seq) throw damaged(seq, 'it is missing')
    if (!isAsWritten(conversation, last.chain, row))
      throw damaged(
        seq,
        'its bytes, its time, its place or its link differ from those that were written',
      )
    last = row
  }
  if (last.seq !== span.last) throw damaged(last.seq + 1, 'it is missing')
  if (last.seq === head.seq && !endsAt(last, head))
    throw damaged(last.seq, 'it is not the last event that was written')
  return rows
}

/** Whether a row is as it was written after the row with this `chain`; for a scrubbed row, as it was scrubbed. */
export function isAsWritten(conversation: string, previous: Uint8Array, row: EventRow): boolean {
  const { scrubbed } = row
  return scrubbed
    ? equalHash(hashScrubbed(conversation, previous, { ...row, scrubbed }), scrubbed.sha256)
    : equalHash(row.chain, getChain(conversation, previous, row))
}

function endsAt(last: ChainHead, head: ChainHead): boolean {
  return last.seq === head.seq && equalHash(last.chain, head.chain)
}
