import { type Head, NO_HEAD } from './event-row.ts'
import { hash } from './hash.ts'

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
