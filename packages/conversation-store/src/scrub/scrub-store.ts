import { type Blob, getBlob } from '../events/blob.ts'
import type { ConversationEvent, UnknownEvent } from '../events/conversation-event.ts'
import { decodeEvent, openEvent } from '../events/decode-event.ts'
import { putPayloads, getRaw } from '../events/payloads.ts'
import { getEventText, getWords } from '../events/event-text.ts'
import { StoreError } from '../problems/store-error.ts'
import { type EventRow, EMPTY_CHAIN_HEAD, hashScrubbed } from '../rows/event-row.ts'
import type { EventRows } from '../rows/event-rows.ts'
import { packBlobs, readBlobs } from '../rows/keep-bytes.ts'
import { isAsWritten } from '../rows/verify-rows.ts'
import { scrubDocuments } from './scrub-documents.ts'
import { type Scrubber, createScrubber, joinScrubbers } from './scrub-text.ts'
import { type FormBits, type FormCount, type LetterCase, countForms } from './secret-forms.ts'

/** What to scrub from a store. */
export interface ScrubRequest {
  /** The value, or several: each a text of at least 6 characters. */
  secret: string | readonly string[]
  /** Whether letter case counts. Default: `exact`. */
  letterCase?: LetterCase
  /** Scrubs only this conversation and its documents. Default: all conversations and documents. */
  conversation?: string
}

/** The changes that a scrub made. */
export interface ScrubResult {
  /** The time of the scrub: ISO 8601, UTC. Every changed event has it too (`scrubbedAt`). */
  at: string
  /** Number of events that contained the value and were rewritten. */
  events: number
  /** Number of documents that contained the value and were rewritten, each as a new version. */
  documents: number
  /** Number of blobs that contained the value and were rewritten, or removed because no event refers to them. */
  blobs: number
  /** Number of these blobs whose old form still exists, because another conversation, or an event that was appended during the scrub, refers to it. */
  shared: number
  /** Number of these blobs that still exist because a call has kept them, and its event may follow. */
  awaited: number
  /** The forms in which the value was searched for, and how many of each were removed. */
  forms: readonly FormCount[]
}

const PAGE = 50

/** Number of blobs that are read at once. */
const BLOBS = 10

/** The clock of a scrub. */
interface ScrubTimes {
  now: () => Date
  /** After this time, in milliseconds, a call that kept bytes has ended. */
  maxCallMs: number
}

/** Removes values from events, blobs, originals, documents and the index, and then from the free space of the engine. */
export async function scrubStore(
  rows: EventRows,
  { secret, letterCase = 'exact', conversation }: ScrubRequest,
  { now, maxCallMs }: ScrubTimes,
): Promise<ScrubResult> {
  const values = typeof secret === 'string' ? [secret] : secret
  const create = (): Scrubber =>
    joinScrubbers(values.map((value) => createScrubber(value, letterCase)))
  const scrubber = create()
  const start = now()
  const time = start.toISOString()
  const replaced = new Set<string>()
  let events = 0
  for (const id of conversation === undefined ? await readIds(rows) : [conversation]) {
    let after = 0
    let previous = EMPTY_CHAIN_HEAD.chain
    for (;;) {
      const page = await rows.scan(id, after, PAGE)
      for (const row of page.rows) {
        const names = await scrubRow(row, { rows, conversation: id, previous, scrubber, at: time })
        previous = row.chain
        if (!names) continue
        for (const sha256 of names) replaced.add(sha256)
        events += 1
      }
      const last = page.rows.at(-1)?.seq ?? 0
      if (page.rows.length < PAGE || last <= after) break
      after = last
    }
  }
  const documents = await scrubDocuments(conversation, { rows: rows.documents, scrubber, at: time })
  // Bytes that a call keeps during the scrub stay. All others are removed, also those from a time that the clock, which was set back, has not reached.
  await rows.blobs.drop([...replaced], { from: time, to: now().toISOString() })
  const unused = await findUnused(rows, create)
  // A scrub of one conversation leaves the bytes of any call that may still run.
  const from = new Date(start.getTime() - (conversation === undefined ? 0 : maxCallMs))
  await rows.blobs.drop([...unused.keys()], { from: from.toISOString(), to: now().toISOString() })
  const awaited = new Set((await rows.blobs.get([...unused.keys()])).map(({ sha256 }) => sha256))
  const left = (await rows.blobs.get([...replaced])).filter(({ sha256 }) => !awaited.has(sha256))
  const blobs = new Set([...replaced, ...unused.keys()]).size
  if (events > 0 || documents > 0 || blobs > awaited.size) await rows.purge()
  const removed = [...unused].flatMap(([sha256, each]) =>
    replaced.has(sha256) || awaited.has(sha256) ? [] : each,
  )
  const forms = countForms([...scrubber.removed, ...removed], letterCase)
  return {
    at: time,
    events,
    documents,
    blobs,
    shared: left.length,
    awaited: awaited.size,
    forms,
  }
}

/**
 * Finds blobs that contain the value and to which no event refers: what a deleted conversation, an ended call or an earlier scrub left. Returns the
 * forms of the value in each.
 */
async function findUnused(
  rows: EventRows,
  create: () => Scrubber,
): Promise<ReadonlyMap<string, readonly FormBits[]>> {
  const unused = new Map<string, readonly FormBits[]>()
  let after = ''
  for (;;) {
    const page = await rows.blobs.unused({ after, limit: BLOBS })
    const scrubber = create()
    let count = 0
    for (const [sha256, bytes] of await readBlobs(rows.blobs, page)) {
      const isIn = scrubber.base64(bytes) !== bytes
      if (isIn) unused.set(sha256, scrubber.removed.slice(count))
      count = scrubber.removed.length
    }
    after = page.at(-1) ?? after
    if (page.length < BLOBS) return unused
  }
}

/** Returns the ids of all conversations. They are listed at one moment, because a conversation that is written between two pages is on neither. */
async function readIds(rows: EventRows): Promise<readonly string[]> {
  const most = Number.MAX_SAFE_INTEGER
  return (await rows.list({ limit: most, below: most })).map(({ id }) => id)
}

/** The arguments of scrubbing a row. */
interface EventScrub {
  rows: EventRows
  conversation: string
  /** The `chain` of the row before it. */
  previous: Uint8Array
  scrubber: Scrubber
  /** The time of the scrub: ISO 8601, UTC. */
  at: string
}

/**
 * Removes a value from a row and its blobs, and returns the hashes of the blobs to which the row no longer refers; `undefined` if the row does not
 * contain the value. The row keeps its hash and its place in the chain; a second hash protects its present content.
 */
async function scrubRow(
  row: EventRow,
  scrubbing: EventScrub,
): Promise<readonly string[] | undefined> {
  const { rows, conversation, previous, scrubber, at } = scrubbing

  /** Scrubs the row again if somebody else has changed it since it was read. */
  async function scrubAgain(): Promise<readonly string[] | undefined> {
    const [now] = (await rows.scan(conversation, row.seq - 1, 1)).rows
    const isThere = now?.seq === row.seq && Buffer.compare(now.chain, row.chain) === 0
    return isThere ? await scrubRow(now, scrubbing) : undefined
  }

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
  // Most originals are lines of JSON. Its strings are searched, then its bytes.
  const isJson = row.original && openEvent(row.original).value !== undefined
  const original =
    row.original && scrubber.bytes(isJson ? scrubber.json(row.original) : row.original)
  if (bytes === row.bytes && original === row.original)
    return known.size < names.length && (await isRewritten(row, rows, conversation))
      ? await scrubAgain()
      : undefined
  const changed = { ...row, bytes, ...(original && { original }) }
  // A row that was damaged before must stay recognizable as damaged.
  const sha256 = isAsWritten(conversation, previous, row)
    ? hashScrubbed(conversation, previous, { ...changed, scrubbed: { at } })
    : NONE
  const all = new Map([
    ...known,
    ...[...blobs.values()].map((blob) => [blob.sha256, blob.bytes] as const),
  ])
  const now = readEvent(bytes, all)
  if (decoded.ok && now?.type !== decoded.event.type) throw unscrubbable(conversation, row.seq)
  const isWritten = await rows.rewrite(conversation, {
    was: row,
    row: {
      ...changed,
      scrubbed: { at, sha256 },
      blobs: [...renamed.values()],
      terms: () => (now ? getWords(getEventText(now)) : []),
    },
    kept: await packBlobs([...blobs.values()], at),
  })
  return isWritten ? [...blobs.keys()] : await scrubAgain()
}

/** Whether a row has other content now. Another scrub of the row may have replaced its blobs after it was read. */
async function isRewritten(
  { seq, bytes }: EventRow,
  rows: EventRows,
  conversation: string,
): Promise<boolean> {
  const [now] = (await rows.scan(conversation, seq - 1, 1)).rows
  return now?.seq === seq && Buffer.compare(now.bytes, bytes) !== 0
}

const NONE = new Uint8Array()

/**
 * Removes the names of blobs, which stay whatever digits they contain, before the final search. A value may contain quotation marks and commas and
 * so extend across strings.
 */
function withoutNames(bytes: Uint8Array, names: ReadonlyMap<string, string>): Uint8Array {
  let text = Buffer.from(bytes).toString('latin1')
  for (const name of names.values()) text = text.replaceAll(name, '')
  return Buffer.from(text, 'latin1')
}

function unscrubbable(conversation: string, seq: number): StoreError {
  const message = `The value is part of how event ${seq} of conversation ${JSON.stringify(conversation)} is written; the event was not changed.`
  return new StoreError('unscrubbable', message)
}

/** Returns the present event of a row; `undefined` if the bytes are not an event. */
function readEvent(
  bytes: Uint8Array,
  known: ReadonlyMap<string, Uint8Array>,
): ConversationEvent | UnknownEvent | undefined {
  const { value, payloads } = openEvent(bytes)
  putPayloads(value, payloads, (sha256) => known.get(sha256))
  const decoded = decodeEvent(value)
  return decoded.ok ? decoded.event : undefined
}
