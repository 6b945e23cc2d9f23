import { type Blob, getBlob } from '../events/blob.ts'
import type { ConversationEvent, UnknownEvent } from '../events/conversation-event.ts'
import { decodeEvent, openEvent } from '../events/decode-event.ts'
import { putPayloads, getRaw } from '../events/payloads.ts'
import { textOfEvent, getWords } from '../events/event-text.ts'
import { StoreError } from '../problems/store-error.ts'
import { type EventRow, EMPTY_CHAIN_HEAD, hashScrubbed } from '../rows/event-row.ts'
import type { EventRows } from '../rows/event-rows.ts'
import { putBlobs, readBlobs } from '../rows/keep-bytes.ts'
import { isAsWritten } from '../rows/verify-rows.ts'
import { type Scrubber, createScrubber, joinScrubbers } from './scrub-text.ts'
import { type FormCount, type LetterCase, countForms } from './secret-forms.ts'

/** What is to be taken out of a store. */
export interface ScrubRequest {
  /** The value, or several: each a text of at least 6 characters. */
  secret: string | readonly string[]
  /** Whether the value is meant in whatever letter case. Default: `exact`. */
  letterCase?: LetterCase
  /** Only from this conversation. Default: from all. */
  conversation?: string
}

/** What a scrub has changed. */
export interface ScrubResult {
  /** When: ISO 8601, UTC. Every event that was changed says it too (`scrubbedAt`). */
  at: string
  /** How many events had the value, and were rewritten. */
  events: number
  /** Bytes kept apart that had the value, and were written anew. */
  blobs: number
  /** Of those, how many are there as they were, because another conversation names them or somebody keeps them at this moment. */
  shared: number
  /** In which forms the value was looked for, and how many of each were removed. */
  forms: readonly FormCount[]
}

const PAGE = 50
const LIST = 100

/** Takes values out of events, blobs, originals and the index, and then out of what the engine still has of them. */
export async function scrubStore(
  rows: EventRows,
  { secret, letterCase = 'exact', conversation }: ScrubRequest,
  now: () => Date,
): Promise<ScrubResult> {
  const values = typeof secret === 'string' ? [secret] : secret
  const scrubber = joinScrubbers(values.map((value) => createScrubber(value, letterCase)))
  const at = now().toISOString()
  const replaced = new Set<string>()
  let events = 0
  for await (const id of conversation === undefined ? readIds(rows) : [conversation]) {
    let after = 0
    let previous = EMPTY_CHAIN_HEAD.chain
    for (;;) {
      const found = await rows.scan(id, after, PAGE)
      for (const row of found.rows) {
        const names = await scrubRow(row, { rows, conversation: id, previous, scrubber, at })
        previous = row.chain
        if (!names) continue
        for (const sha256 of names) replaced.add(sha256)
        events += 1
      }
      const last = found.rows.at(-1)?.seq ?? 0
      if (found.rows.length < PAGE || last <= after) break
      after = last
    }
  }
  await rows.blobs.drop([...replaced], at)
  if (events > 0) await rows.purge()
  const left = await rows.blobs.get([...replaced])
  const forms = countForms(scrubber.removed, letterCase)
  return { at, events, blobs: replaced.size, shared: left.length, forms }
}

async function* readIds(rows: EventRows): AsyncGenerator<string> {
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const listed = await rows.list({ limit: LIST, below })
    yield* listed.map(({ id }) => id)
    const last = listed.at(-1)
    if (!last || listed.length < LIST) return
    below = last.place
  }
}

/** What scrubbing a row needs to know. */
interface Scrubbing {
  rows: EventRows
  conversation: string
  /** The `chain` of the row before it. */
  previous: Uint8Array
  scrubber: Scrubber
  /** When it is done: ISO 8601, UTC. */
  at: string
}

/**
 * Takes a value out of a row and its blobs, and answers the hashes of blobs that the row names no longer; `undefined` where it is not in there. The row keeps its hash and its place in the chain; a second hash
 * guards what is there now.
 */
async function scrubRow(
  row: EventRow,
  { rows, conversation, previous, scrubber, at }: Scrubbing,
): Promise<readonly string[] | undefined> {
  const { value, payloads } = openEvent(row.bytes)
  const decoded = decodeEvent(value)
  const raws = decoded.ok ? getRaw(decoded.event) : []
  const names = [...new Set([...payloads.map(({ sha256 }) => sha256), ...raws])]
  const known = await readBlobs(rows.blobs, names)
  const ways = new Map(payloads.map(({ sha256, as }) => [sha256, as]))
  const blobs = new Map<string, Blob>()
  for (const [sha256, bytes] of known) {
    const changed = scrubber[ways.get(sha256) ?? 'bytes'](bytes)
    if (changed !== bytes) blobs.set(sha256, getBlob(changed))
  }
  const renamed = new Map(names.map((name) => [name, blobs.get(name)?.sha256 ?? name]))
  const bytes = value === undefined ? scrubber.bytes(row.bytes) : scrubber.json(row.bytes, renamed)
  if (value !== undefined && scrubber.isIn(withoutNames(bytes, renamed)))
    throw unscrubbable(conversation, row.seq)
  // Most are lines of JSON; what is escaped there is not one of the two encodings that a value may have.
  const isJson = row.original && openEvent(row.original).value !== undefined
  const original =
    row.original && scrubber.bytes(isJson ? scrubber.json(row.original) : row.original)
  if (bytes === row.bytes && original === row.original) return undefined
  const changed = { ...row, bytes, ...(original && { original }) }
  // What was damaged before is not declared right.
  const sha256 = isAsWritten(conversation, previous, row)
    ? hashScrubbed(conversation, previous, { ...changed, scrubbed: { at } })
    : NONE
  const all = new Map([
    ...known,
    ...[...blobs.values()].map((blob) => [blob.sha256, blob.bytes] as const),
  ])
  const now = readEvent(bytes, all)
  if (decoded.ok && now?.type !== decoded.event.type) throw unscrubbable(conversation, row.seq)
  await putBlobs(rows.blobs, [...blobs.values()], at)
  await rows.rewrite(conversation, {
    ...changed,
    scrubbed: { at, sha256 },
    blobs: [...renamed.values()],
    words: () => (now ? getWords(textOfEvent(now)) : []),
  })
  return [...blobs.keys()]
}

const NONE = new Uint8Array()

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
  const decoded = decodeEvent(value)
  return decoded.ok ? decoded.event : undefined
}
