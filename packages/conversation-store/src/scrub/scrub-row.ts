import { type Blob, blobOf } from '../events/blob.ts'
import { putPayloads, rawOf } from '../events/payloads.ts'
import type { ConversationEvent, UnknownEvent } from '../events/conversation-event.ts'
import { decodeEvent, openEvent } from '../events/decode-event.ts'
import { type EventRow, hashScrubbed } from '../rows/event-row.ts'
import { textOfEvent, wordsOf } from '../events/words-of-event.ts'
import { StoreError } from '../problems/store-error.ts'
import { isAsWritten } from '../rows/verify-rows.ts'
import type { Scrubber } from './scrub-text.ts'

/** A row without a value, and what belongs to it. */
export interface ScrubbedRow {
  row: EventRow
  /** To be kept before the row. */
  blobs: readonly Blob[]
  /** Hashes of blobs that the row names no longer. */
  replaced: readonly string[]
}

/** What scrubbing a row needs to know. */
export interface Scrubbing {
  conversation: string
  /** The `chain` of the row before it. */
  previous: Uint8Array
  scrubber: Scrubber
  /** When it is done: ISO 8601, UTC. */
  at: string
  /** Bytes of the blobs that the row names. */
  blobsOf(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
}

/**
 * Takes a value out of a row and its blobs; `undefined` where it is not in there. The row keeps its hash and its place in the chain; a second hash
 * guards what is there now.
 */
export async function scrubRow(
  row: EventRow,
  scrubbing: Scrubbing,
): Promise<ScrubbedRow | undefined> {
  const { scrubber, conversation, previous } = scrubbing
  const { value, payloads } = openEvent(row.bytes)
  const decoded = decodeEvent(value === undefined ? {} : { value })
  const raws = decoded.ok ? rawOf(decoded.event) : []
  const names = [...new Set([...payloads.map(({ sha256 }) => sha256), ...raws])]
  const known = await scrubbing.blobsOf(names)
  const ways = new Map(payloads.map(({ sha256, as }) => [sha256, as]))
  const blobs = new Map<string, Blob>()
  for (const [sha256, bytes] of known) {
    const changed = scrubber[ways.get(sha256) ?? 'bytes'](bytes)
    if (changed !== bytes) blobs.set(sha256, blobOf(changed))
  }
  const renamed = new Map(names.map((name) => [name, blobs.get(name)?.sha256 ?? name]))
  const bytes = value === undefined ? scrubber.bytes(row.bytes) : scrubber.json(row.bytes, renamed)
  if (value !== undefined && scrubber.isIn(withoutNames(bytes, renamed)))
    throw unscrubbable(conversation, row.seq)
  const original = row.original && scrubOriginal(row.original, scrubber)
  if (bytes === row.bytes && original === row.original) return undefined
  const changed = { ...row, bytes, ...(original && { original }) }
  // What was damaged before is not declared right.
  const sha256 = isAsWritten(conversation, previous, row)
    ? hashScrubbed(conversation, previous, { ...changed, scrubbed: { at: scrubbing.at } })
    : NONE
  const all = new Map([
    ...known,
    ...[...blobs.values()].map((blob) => [blob.sha256, blob.bytes] as const),
  ])
  const now = readEvent(bytes, all)
  if (decoded.ok && now?.type !== decoded.event.type) throw unscrubbable(conversation, row.seq)
  return {
    row: {
      ...changed,
      scrubbed: { at: scrubbing.at, sha256 },
      blobs: [...renamed.values()],
      words: () => (now ? wordsOf(textOfEvent(now)) : []),
    },
    blobs: [...blobs.values()],
    replaced: [...blobs.keys()],
  }
}

const NONE = new Uint8Array()

/** Most are lines of JSON; what is escaped there is not one of the two encodings that a value may have. */
function scrubOriginal(original: Uint8Array, scrubber: Scrubber): Uint8Array {
  const { value } = openEvent(original)
  return scrubber.bytes(value === undefined ? original : scrubber.json(original))
}

/** A value may have quotation marks and commas, and so stand across strings. Names of blobs stay, whatever digits they have. */
function withoutNames(bytes: Uint8Array, names: ReadonlyMap<string, string>): Uint8Array {
  let text = Buffer.from(bytes).toString('latin1')
  for (const name of names.values()) text = text.replaceAll(name, '')
  return Buffer.from(text, 'latin1')
}

function unscrubbable(conversation: string, seq: number): StoreError {
  const message = `The value is part of how event ${seq} of conversation ${JSON.stringify(conversation)} is written; nothing of the event was changed.`
  return new StoreError('unscrubbable', message)
}

/** The event that a row has now; `undefined` where the bytes are none. */
function readEvent(
  bytes: Uint8Array,
  known: ReadonlyMap<string, Uint8Array>,
): ConversationEvent | UnknownEvent | undefined {
  const { value, payloads } = openEvent(bytes)
  putPayloads(value, payloads, (sha256) => known.get(sha256))
  const decoded = decodeEvent(value === undefined ? {} : { value })
  return decoded.ok ? decoded.event : undefined
}
