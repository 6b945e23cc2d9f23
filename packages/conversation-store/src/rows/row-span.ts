import type { RowRange } from './event-rows.ts'

/** The rows that a range has in a conversation: no row where `last` is less than `first`. */
export interface RowSpan {
  first: number
  /** Inclusive. */
  last: number
  /** Whether the range has more rows than its limit. */
  more: boolean
}

/** Which rows a range has in a conversation of `count` events: they are numbered from 1 without a gap. */
export function spanOf({ after, before, limit, from }: RowRange, count: number): RowSpan {
  const first = after + 1
  const last = Math.min(before - 1, count)
  const more = last - after > limit
  if (!more) return { first, last, more }
  return from === 'first'
    ? { first, last: after + limit, more }
    : { first: last - limit + 1, last, more }
}
