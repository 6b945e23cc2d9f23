import { damagedEvent } from '../store-error.ts'
import { chainRows, type EventBytes, type EventRow } from './event-row.ts'
import { type KeptHead, sealOf } from './kept-head.ts'

/** What an append comes to, before anything is written. */
export type AppendPlan =
  | { kind: 'conflict' | 'nothing'; seq: number }
  /** The rows, and what is kept of the conversation with them. */
  | {
      kind: 'write'
      seq: number
      rows: readonly EventRow[]
      head: Omit<KeptHead, 'isIntact'>
      seal: Uint8Array
    }

/**
 * Works out an append after the head that an engine has found, in the transaction that will write it.
 *
 * @throws StoreError with code `damaged` where the head is not as it was written.
 */
export function planAppend(
  conversation: string,
  found: KeptHead,
  { expected, events }: { expected: number; events: readonly EventBytes[] },
): AppendPlan {
  if (!found.isIntact)
    throw damagedEvent(conversation, found.seq, 'what an append would follow has changed')
  if (found.seq !== expected) return { kind: 'conflict', seq: found.seq }
  const rows = chainRows(conversation, found, events)
  const last = rows.at(-1)
  if (!last) return { kind: 'nothing', seq: found.seq }
  const { seq, chain, at: updatedAt } = last
  const createdAt = found.seq === 0 ? (rows[0]?.at ?? updatedAt) : found.createdAt
  const head = { seq, chain, createdAt, updatedAt }
  return { kind: 'write', seq, rows, head, seal: sealOf(conversation, head) }
}
