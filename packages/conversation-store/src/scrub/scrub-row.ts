import { type Blob, blobOf } from '../blobs/blob.ts'
import { putPayloads } from '../blobs/payloads.ts'
import type { ConversationEvent, UnknownEvent } from '../events/conversation-event.ts'
import { decodeEvent, openEvent } from '../events/decode-event.ts'
import { rawOf } from '../events/write-event.ts'
import { type EventRow, hashScrubbed } from '../rows/event-row.ts'
import { textOfEvent, wordsOf } from '../search/search-text.ts'
import { StoreError } from '../store-error.ts'
import { isAsWritten } from '../verify-rows.ts'
import { scrubBytes, scrubJson, scrubText } from './scrub-text.ts'
import type { SecretForms } from './secret-forms.ts'

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
  forms: SecretForms
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
  const { forms, conversation, previous } = scrubbing
  const { value, payloads } = openEvent(row.bytes)
  const decoded = decodeEvent(value === undefined ? {} : { value })
  const raws = decoded.ok ? rawOf(decoded.event) : []
  const names = [...new Set([...payloads.map(({ sha256 }) => sha256), ...raws])]
  const known = await scrubbing.blobsOf(names)
  const texts = new Set(payloads.filter(({ as }) => as === 'text').map(({ sha256 }) => sha256))
  const blobs = new Map<string, Blob>()
  for (const [sha256, bytes] of known) {
    const changed = texts.has(sha256) ? scrubUtf8(bytes, forms) : scrubBytes(bytes, forms)
    if (changed !== bytes) blobs.set(sha256, blobOf(changed))
  }
  const renamed = new Map([...blobs].map(([old, { sha256 }]) => [old, sha256]))
  const bytes =
    value === undefined ? scrubBytes(row.bytes, forms) : scrubEvent(row.bytes, forms, renamed)
  const original = row.original && scrubBytes(row.original, forms)
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
  if (decoded.ok && now?.type !== decoded.event.type)
    throw new StoreError(
      'unscrubbable',
      `The value is part of how event ${row.seq} of conversation ${JSON.stringify(conversation)} is written; nothing of the event was changed.`,
    )
  return {
    row: {
      ...changed,
      scrubbed: { at: scrubbing.at, sha256 },
      blobs: names.map((name) => renamed.get(name) ?? name),
      words: () => (now ? wordsOf(textOfEvent(now)) : []),
    },
    blobs: [...blobs.values()],
    replaced: [...blobs.keys()],
  }
}

const NONE = new Uint8Array()

function scrubUtf8(bytes: Uint8Array, forms: SecretForms): Uint8Array {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const scrubbed = scrubText(text, forms)
  return scrubbed === text ? bytes : new TextEncoder().encode(scrubbed)
}

function scrubEvent(
  bytes: Uint8Array,
  forms: SecretForms,
  renamed: ReadonlyMap<string, string>,
): Uint8Array {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const scrubbed = scrubJson(text, forms, renamed)
  return scrubbed === text ? bytes : new TextEncoder().encode(scrubbed)
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
