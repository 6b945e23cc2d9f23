import { createHash, hash as hashWhole } from 'node:crypto'
import { damagedEvent } from '../problems/store-error.ts'

/** An event before it has its place in a conversation. */
export interface EventBytes {
  /** ISO 8601, UTC. */
  at: string
  /** The event as UTF-8 JSON. */
  bytes: Uint8Array
  /** The record that the event was made from, as it came. */
  original?: Uint8Array
  /** SHA-256 of the blobs that the event names, which are kept for it; not given back. */
  blobs?: readonly string[]
  /** Words to find the event by, in lower case, for an engine that keeps them at once; not given back. */
  words?: () => readonly string[]
}

/** An event as it is kept. */
export interface EventRow extends EventBytes {
  /** Its place in the conversation, counted from 1. */
  seq: number
  /**
   * SHA-256 of the previous row's `chain` (nothing before the first), the conversation, `seq`, `at`, `bytes` and `original`: it covers
   * all history. Of a row with `sha256`: of the previous row's `chain` and `sha256`.
   */
  chain: Uint8Array
  /** SHA-256 of all of that but the previous row's `chain`. Only rows of earlier versions have it, and keep it. */
  sha256?: Uint8Array
  /** Present where a value was taken out of the row: when (`at`, ISO 8601, UTC), and the `sha256` of what is there since; `chain` stays what it was. */
  scrubbed?: { at: string; sha256: Uint8Array }
}

/** The last row of a conversation, as far as the next one needs it. */
export interface ChainHead {
  /** 0 before the first row. */
  seq: number
  /** That of the row; empty before the first row. */
  chain: Uint8Array
}

/** The head of a conversation nobody has written to. */
export const EMPTY_CHAIN_HEAD: ChainHead = { seq: 0, chain: new Uint8Array() }

/** Gives events their places after `head`. */
export function chainRows(
  conversation: string,
  head: ChainHead,
  events: readonly EventBytes[],
): EventRow[] {
  const id = JSON.stringify(conversation)
  const rows: EventRow[] = []
  let { seq, chain } = head
  for (const event of events) {
    seq += 1
    chain = hashPlaced(chain, getPlace(id, seq, event), event)
    rows.push({ ...event, seq, chain })
  }
  return rows
}

/** The `chain` that a row has behind the row with this one. */
export function getChain(conversation: string, previous: Uint8Array, row: EventRow): Uint8Array {
  if (row.sha256) return hash(previous, row.sha256)
  return hashPlaced(previous, getPlace(JSON.stringify(conversation), row.seq, row), row)
}

/** The `sha256` of a row of an earlier version. */
export function hashRow(conversation: string, row: EventBytes & { seq: number }): Uint8Array {
  return hashPlaced(
    EMPTY_CHAIN_HEAD.chain,
    getPlace(JSON.stringify(conversation), row.seq, row),
    row,
  )
}

/** JSON has no raw line end, so that the bytes begin after the first one; how many are of an original comes before. */
function getPlace(id: string, seq: number, { at, original }: EventBytes): string {
  const place = `[${id},${seq},${JSON.stringify(at)}`
  return original ? `${place},${original.length}]\n` : `${place}]\n`
}

/** A `chain` has a fixed length, or none. */
function hashPlaced(
  previous: Uint8Array,
  place: string,
  { bytes, original }: EventBytes,
): Uint8Array {
  return original ? hash(previous, place, original, bytes) : hash(previous, place, bytes)
}

/** The hash of a row from which a value was taken, behind the row with this `chain`; it covers the hash that the row had before. */
export function hashScrubbed(
  conversation: string,
  previous: Uint8Array,
  {
    seq,
    at,
    bytes,
    original,
    sha256,
    chain,
    scrubbed,
  }: Omit<EventRow, 'scrubbed'> & { scrubbed: { at: string } },
): Uint8Array {
  const about = [conversation, seq, at, scrubbed.at, original?.length ?? -1]
  const before = sha256 ? [sha256] : [previous, chain]
  return hash(`${JSON.stringify(about)}\n`, ...before, original ?? '', bytes)
}

/** Bytes up to which parts are put together, which is three times as fast as feeding them one by one. */
const SMALL = 16 * 1024

/** Where they are put together. Nothing keeps it: a hash is ready before the next one begins. */
const together = Buffer.allocUnsafe(SMALL)

/** SHA-256. */
export function hash(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  let most = 0
  // A code unit of a text becomes three bytes at most.
  for (const part of parts) most += typeof part === 'string' ? part.length * 3 : part.length
  if (most > SMALL) return hashLong(parts)
  let end = 0
  for (const part of parts) {
    if (typeof part === 'string') end += together.write(part, end)
    else {
      together.set(part, end)
      end += part.length
    }
  }
  // As a string first: memory of its own for every hash costs as much as the hash.
  return Buffer.from(hashWhole('sha256', together.subarray(0, end), 'binary'), 'latin1')
}

function hashLong(parts: readonly (Uint8Array | string)[]): Uint8Array {
  const sha256 = createHash('sha256')
  for (const part of parts) sha256.update(part)
  return sha256.digest()
}

/** Whether two hashes are the same. */
export function equalHash(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/** The last row there should be, and when a conversation was first and last written to. */
export interface StoredHead extends ChainHead {
  /** When the first event happened: ISO 8601, UTC. */
  createdAt: string
  /** When the last event happened: ISO 8601, UTC. */
  updatedAt: string
  /** Whether it is as it was written. */
  isIntact: boolean
}

/** What is kept of a conversation nobody wrote to. */
export const EMPTY_STORED_HEAD: StoredHead = {
  ...EMPTY_CHAIN_HEAD,
  createdAt: '',
  updatedAt: '',
  isIntact: true,
}

/** A hash over what is kept of a conversation beside its events. */
export function computeSeal(conversation: string, head: Omit<StoredHead, 'isIntact'>): Uint8Array {
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
      head: Omit<StoredHead, 'isIntact'>
      seal: Uint8Array
    }

/**
 * Works out an append after the head that an engine has found, in the transaction that will write it.
 *
 * @throws StoreError with code `damaged` where the head is not as it was written.
 */
export function planAppend(
  conversation: string,
  found: StoredHead,
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
  return { kind: 'write', seq, rows, head, seal: computeSeal(conversation, head) }
}
