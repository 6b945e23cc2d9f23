import { createHash, hash as hashWhole } from 'node:crypto'
import { damagedEvent } from '../problems/store-error.ts'

/** An event before it has its place in a conversation. */
export interface EventBytes {
  /** ISO 8601, UTC. */
  at: string
  /** The event as UTF-8 JSON. */
  bytes: Uint8Array
  /** The record from which the event was made, byte for byte. */
  original?: Uint8Array
  /** SHA-256 of the blobs to which the event refers, which are kept for it. Not returned by `read`. */
  blobs?: readonly string[]
  /** Returns the words by which the event is found, in lower case, for an engine that indexes them at once. Not returned by `read`. */
  terms?: () => readonly string[]
}

/** An event as it is stored. */
export interface EventRow extends EventBytes {
  /** Its place in the conversation, counted from 1. */
  seq: number
  /**
   * SHA-256 of the previous row's `chain` (nothing before the first), the conversation, `seq`, `at`, `bytes` and `original`: it covers
   * all history.
   */
  chain: Uint8Array
  /**
   * Present if a value was scrubbed from the row: the time (`at`, ISO 8601, UTC), and the `sha256` of the present content. `chain` does not change.
   */
  scrubbed?: { at: string; sha256: Uint8Array }
}

/** The values of a conversation's last row that the next one needs. */
export interface ChainHead {
  /** 0 before the first row. */
  seq: number
  /** The `chain` of the row; empty before the first row. */
  chain: Uint8Array
}

/** The head of a conversation without events. */
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

/** Computes the `chain` of a row from the `chain` of the row before it. */
export function getChain(conversation: string, previous: Uint8Array, row: EventRow): Uint8Array {
  return hashPlaced(previous, getPlace(JSON.stringify(conversation), row.seq, row), row)
}

/**
 * Returns the values before the bytes of a row. JSON has no raw line end, so the bytes begin after the first one; the length of the original comes
 * before.
 */
function getPlace(id: string, seq: number, { at, original }: EventBytes): string {
  const prefix = `[${id},${seq},${JSON.stringify(at)}`
  return original ? `${prefix},${original.length}]\n` : `${prefix}]\n`
}

/** Computes the hash of a row. A `chain` has a fixed length or is absent. */
function hashPlaced(
  previous: Uint8Array,
  prefix: string,
  { bytes, original }: EventBytes,
): Uint8Array {
  return original ? hash(previous, prefix, original, bytes) : hash(previous, prefix, bytes)
}

/** Computes the hash of a scrubbed row from the `chain` of the row before it. It covers the hash that the row had before. */
export function hashScrubbed(
  conversation: string,
  previous: Uint8Array,
  {
    seq,
    at,
    bytes,
    original,
    chain,
    scrubbed,
  }: Omit<EventRow, 'scrubbed'> & { scrubbed: { at: string } },
): Uint8Array {
  const about = [conversation, seq, at, scrubbed.at, original?.length ?? -1]
  return hash(`${JSON.stringify(about)}\n`, previous, chain, original ?? '', bytes)
}

/** Parts up to this number of bytes are joined before hashing, which is three times as fast as hashing them one by one. */
const SMALL = 16 * 1024

/** The buffer in which parts are joined. It can be shared, because one hash is complete before the next one begins. */
const together = Buffer.allocUnsafe(SMALL)

/** Computes SHA-256. */
export function hash(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  let most = 0
  // A code unit of a text becomes at most three bytes.
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
  // The digest is read as a string first: separate memory for every hash costs as much as the hash.
  return Buffer.from(hashWhole('sha256', together.subarray(0, end), 'binary'), 'latin1')
}

function hashLong(parts: readonly (Uint8Array | string)[]): Uint8Array {
  const sha256 = createHash('sha256')
  for (const part of parts) sha256.update(part)
  return sha256.digest()
}

/** Whether two hashes are equal. */
export function equalHash(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}

/** The expected last row of a conversation, and the times of its first and last event. */
export interface StoredHead extends ChainHead {
  /** When the first event happened: ISO 8601, UTC. */
  createdAt: string
  /** When the last event happened: ISO 8601, UTC. */
  updatedAt: string
  /** Whether the head is as it was written. */
  isIntact: boolean
}

/** The last event that a follower has. Without `chain`, the conversation may not have it yet. */
export interface FollowedEvent {
  /** 0 before the first event. */
  seq: number
  chain?: Uint8Array
}

/** Whether a conversation has events after the last one of a follower, or no longer has that one because it was deleted. */
export function hasMovedOn(head: ChainHead, { seq, chain }: FollowedEvent): boolean {
  if (chain === undefined) return head.seq > seq
  return head.seq !== seq || !equalHash(head.chain, chain)
}

/** The head of a conversation without events. */
export const EMPTY_STORED_HEAD: StoredHead = {
  ...EMPTY_CHAIN_HEAD,
  createdAt: '',
  updatedAt: '',
  isIntact: true,
}

/** Computes a hash over the data of a conversation that is stored beside its events. */
export function computeSeal(conversation: string, head: Omit<StoredHead, 'isIntact'>): Uint8Array {
  const { seq, chain, createdAt, updatedAt } = head
  return hash(`${JSON.stringify([conversation, seq, createdAt, updatedAt])}\n`, chain)
}

/** The plan of an append, before anything is written. */
export type AppendPlan =
  | { kind: 'conflict' | 'nothing'; seq: number }
  /** The rows to write, and the new head of the conversation. */
  | {
      kind: 'write'
      seq: number
      rows: readonly EventRow[]
      head: Omit<StoredHead, 'isIntact'>
      seal: Uint8Array
    }

/**
 * Plans an append after the head that an engine has read, in the transaction that will write it.
 *
 * @throws StoreError with code `damaged` if the head is not as it was written.
 */
export function planAppend(
  conversation: string,
  stored: StoredHead,
  { expected, events }: { expected: number; events: readonly EventBytes[] },
): AppendPlan {
  if (!stored.isIntact)
    throw damagedEvent(conversation, stored.seq, 'the end of the conversation has changed')
  if (stored.seq !== expected) return { kind: 'conflict', seq: stored.seq }
  const rows = chainRows(conversation, stored, events)
  const last = rows.at(-1)
  if (!last) return { kind: 'nothing', seq: stored.seq }
  const { seq, chain, at: updatedAt } = last
  const createdAt = stored.seq === 0 ? (rows[0]?.at ?? updatedAt) : stored.createdAt
  const head = { seq, chain, createdAt, updatedAt }
  return { kind: 'write', seq, rows, head, seal: computeSeal(conversation, head) }
}
