import { createHash } from 'node:crypto'

/** An event before it has its place in a conversation. */
export interface EventBytes {
  at: string
  bytes: Uint8Array
}

/** An event as it is kept. */
export interface EventRow extends EventBytes {
  seq: number
  /** SHA-256 of `bytes`. */
  sha256: Uint8Array
  /** SHA-256 of the previous row's `chain` (nothing before the first), `at` and `sha256`: it covers all history. */
  chain: Uint8Array
}

/** The last row of a conversation, as far as the next one needs it. */
export interface Head {
  seq: number
  chain: Uint8Array
}

/** The head of a conversation nobody has written to. */
export const NO_HEAD: Head = { seq: 0, chain: new Uint8Array() }

/** Gives events their places after `head`. */
export function chainRows(head: Head, events: readonly EventBytes[]): EventRow[] {
  const rows: EventRow[] = []
  let { seq, chain } = head
  for (const event of events) {
    const sha256 = hash(event.bytes)
    seq += 1
    chain = linkOf(chain, event.at, sha256)
    rows.push({ ...event, seq, sha256, chain })
  }
  return rows
}

/** SHA-256. */
export function hash(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const sha256 = createHash('sha256')
  for (const part of parts) sha256.update(part)
  return new Uint8Array(sha256.digest())
}

/** The chain value of a row. */
export function linkOf(previous: Uint8Array, at: string, sha256: Uint8Array): Uint8Array {
  return hash(previous, at, sha256)
}

/** Whether two hashes are the same. */
export function equalHash(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
