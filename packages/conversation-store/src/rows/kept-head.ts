import { damagedEvent } from '../problems/store-error.ts'
import { type EventBytes, type EventRow, type Head, NO_HEAD, chainRows, hash } from './event-row.ts'

/** The last row there should be, and when a conversation was first and last written to. */
export interface KeptHead extends Head {
  createdAt: string
  updatedAt: string
  /** Whether it is as it was written. */
  isIntact: boolean
}

/** What is kept of a conversation nobody wrote to. */
export const NOTHING_KEPT: KeptHead = { ...NO_HEAD, createdAt: '', updatedAt: '', isIntact: true }

/** A hash over what is kept of a conversation beside its events. */
export function sealOf(conversation: string, head: Omit<KeptHead, 'isIntact'>): Uint8Array {
  const { seq, chain, createdAt, updatedAt } = head
  return hash(`${JSON.stringify([conversation, seq, createdAt, updatedAt])}\n`, chain)
}

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
