import { hash, hashPair } from './hash.ts'

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
  seq: number
  /** SHA-256 of the conversation, `seq`, `at`, `bytes` and `original`. */
  sha256: Uint8Array
  /** SHA-256 of the previous row's `chain` (nothing before the first) and `sha256`: it covers all history. */
  chain: Uint8Array
  /** Present where a value was taken out of the row: when (ISO 8601, UTC), and the SHA-256 of what is there since; `sha256` stays what it was. */
  scrubbed?: { at: string; sha256: Uint8Array }
}

/** The last row of a conversation, as far as the next one needs it. */
export interface Head {
  /** 0 before the first row. */
  seq: number
  chain: Uint8Array
}

/** The head of a conversation nobody has written to. */
export const NO_HEAD: Head = { seq: 0, chain: new Uint8Array() }

/** Gives events their places after `head`. */
export function chainRows(
  conversation: string,
  head: Head,
  events: readonly EventBytes[],
): EventRow[] {
  const id = JSON.stringify(conversation)
  const rows: EventRow[] = []
  let { seq, chain } = head
  // Events that are appended together mostly have one time.
  let at: string | undefined
  let time = ''
  for (const event of events) {
    seq += 1
    if (event.at !== at) {
      at = event.at
      time = JSON.stringify(at)
    }
    const sha256 = hashPlaced(`[${id},${seq},${time}`, event)
    chain = linkOf(chain, sha256)
    rows.push({ ...event, seq, sha256, chain })
  }
  return rows
}

/** The hash of a row. */
export function hashRow(conversation: string, row: EventBytes & { seq: number }): Uint8Array {
  const { seq, at } = row
  return hashPlaced(`[${JSON.stringify(conversation)},${seq},${JSON.stringify(at)}`, row)
}

/** JSON has no raw line end, so that the bytes begin after the first one; how many are of an original comes before. */
function hashPlaced(place: string, { bytes, original }: EventBytes): Uint8Array {
  return original
    ? hash(`${place},${original.length}]\n`, original, bytes)
    : hash(`${place}]\n`, bytes)
}

/** The hash of a row from which a value was taken; it covers the hash that the row had before. */
export function hashScrubbed(
  conversation: string,
  { seq, at, bytes, original, sha256, scrubbed }: EventRow & { scrubbed: { at: string } },
): Uint8Array {
  const about = [conversation, seq, at, scrubbed.at, original?.length ?? -1]
  return hash(`${JSON.stringify(about)}\n`, sha256, original ?? '', bytes)
}

/** The chain value of a row; both parts have a fixed length. */
export function linkOf(previous: Uint8Array, sha256: Uint8Array): Uint8Array {
  return hashPair(previous, sha256)
}
