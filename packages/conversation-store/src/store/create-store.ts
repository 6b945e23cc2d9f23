import {
  InvalidArgumentError,
  requireArguments,
  describeValue,
} from '@toolblocks/protocol/internal'
import type { StoredEvent } from '../events/conversation-event.ts'
import { decodeEvent, openEvent } from '../events/decode-event.ts'
import { type Payload, putPayloads } from '../events/payloads.ts'
import { getEventText, getWords } from '../events/event-text.ts'
import { type StoreProblem, damagedEvent } from '../problems/store-error.ts'
import {
  type EventRow,
  type ChainHead,
  type FollowedEvent,
  EMPTY_CHAIN_HEAD,
  equalHash,
} from '../rows/event-row.ts'
import {
  type BlobRows,
  type EventRows,
  type RowRange,
  resolveRowRange,
} from '../rows/event-rows.ts'
import { keepStream, packBlobs, readBlobs } from '../rows/keep-bytes.ts'
import { provePage, verifyHead, verifyRow } from '../rows/verify-rows.ts'
import type {
  ConversationList,
  ConversationStore,
  DamagedEvent,
  FollowRequest,
  ConversationListRequest,
  EventPage,
  EventPageRequest,
  SearchHit,
  SearchRequest,
} from './conversation-store.ts'
import { checkId } from './check-id.ts'
import { createDocuments, verifyDocuments } from './create-documents.ts'
import { countValue, readListPage } from './list-page.ts'
import { serializeEvent } from './serialize-event.ts'

/**
 * Default number of events of a page. It is small, because the objects of a page outlive the memory for short-lived objects, which grows with them.
 */
export const PAGE = 50

/** Number of rows that are verified at once. */
const SLICE = 200
const INLINE_LIMIT = 8192

/** After this time, a call that kept its output has ended, and its result refers to the output. */
const HOUR_MS = 3_600_000

/** Default number of hits of a search. */
export const HITS = 20

/** How a store keeps events. */
export interface StoreOptions {
  /** The clock that dates events. Default: the machine's clock. */
  now?: () => Date
  /** Maximum length of a string that stays in its event, in characters; longer ones become blobs. Default: 8192. */
  inlineLimit?: number
}

/** Creates a store from rows that a host keeps itself. The store does everything except storage. */
export function createStore(rows: EventRows, options: StoreOptions = {}): ConversationStore {
  const { now = () => new Date(), inlineLimit = INLINE_LIMIT } = options
  return {
    append: async (conversation, expectedSeq, events) => {
      checkId(conversation)
      requireArguments(
        'append(conversation, expectedSeq, events)',
        [conversation, 'string'],
        [expectedSeq, 'number'],
        [events, 'array'],
      )
      // Any other number would look like a conflict with another writer.
      if (!Number.isSafeInteger(expectedSeq) || expectedSeq < 0)
        throw new InvalidArgumentError(
          `append(conversation, expectedSeq, events): expectedSeq: expected the seq of the last known event, or 0, got ${describeValue(expectedSeq)}`,
        )
      const time = now().toISOString()
      const written = events.map((event, index) =>
        serializeEvent(event, { path: `/${index}`, inlineLimit, now: time }),
      )
      const kept = await packBlobs(
        written.flatMap((event) => event.blobs),
        time,
      )
      return await rows.append(
        conversation,
        expectedSeq,
        written.map(({ row }) => row),
        kept,
      )
    },
    read: async (conversation, request = {}) => {
      checkId(conversation)
      return await readPage(rows, conversation, request)
    },
    list: async (request = {}) => await listConversations(rows, request),
    delete: async (conversation) => {
      checkId(conversation)
      return await rows.delete(conversation)
    },
    verify: async (conversation) => {
      checkId(conversation)
      const problems = await verifyAll(rows, conversation)
      return [...problems, ...(await verifyDocuments(rows.documents, conversation))]
    },
    search: async (request) => await searchStore(rows, request),
    follow: (conversation, request = {}) => {
      checkId(conversation)
      return followConversation(rows, conversation, request)
    },
    scrub: async (request) => {
      if (request.conversation !== undefined) checkId(request.conversation)
      // Loaded on demand, because few hosts scrub.
      const { scrubStore } = await import('../scrub/scrub-store.ts')
      return await scrubStore(rows, request, { now, maxCallMs: HOUR_MS })
    },
    keepBytes: async (bytes) =>
      await keepStream(rows.blobs, bytes instanceof Uint8Array ? [bytes] : bytes, now),
    readBytes: async (sha256) => (await readBlobs(rows.blobs, [sha256])).get(sha256),
    collectBytes: async ({ olderThanMs = HOUR_MS } = {}) =>
      await rows.blobs.collect(new Date(now().getTime() - olderThanMs).toISOString()),
    documents: createDocuments(rows.documents, now),
    close: async () => await rows.close(),
  }
}

async function readPage(
  rows: EventRows,
  conversation: string,
  request: EventPageRequest,
): Promise<EventPage> {
  const { entries, more } = await readEntries(rows, conversation, request)
  return {
    events: entries.filter((entry) => 'event' in entry),
    damaged: entries.filter((entry) => 'problem' in entry),
    more,
  }
}

/** The entries of a page in their order, with the `chain` of the row before them (`undefined`: there is no such row) and of the last one. */
interface ReadEntries {
  entries: readonly (StoredEvent | DamagedEvent)[]
  more: boolean
  previous: Uint8Array | undefined
  lastChain: Uint8Array | undefined
}

async function readEntries(
  rows: EventRows,
  conversation: string,
  request: EventPageRequest,
): Promise<ReadEntries> {
  const { after = 0, before = Infinity, limit = PAGE } = request
  const range: RowRange = {
    after: countValue('after', after),
    before: countValue('before', Math.ceil(before)),
    limit: countValue('limit', limit),
    from: request.before !== undefined && request.after === undefined ? 'last' : 'first',
  }
  let page = await rows.read(conversation, range)
  for (;;) {
    const span = resolveRowRange(range, page.head.seq)
    const proved = provePage(conversation, span, page)
    const { entries, lost } = await readEvents(proved, rows.blobs)
    const { previous } = page
    if (!lost) return { entries, more: span.more, previous, lastChain: proved.at(-1)?.chain }
    // A scrub replaces blobs and a delete removes them, so a missing blob is damage only if its event is still the same.
    const next = await rows.read(conversation, range)
    const now = next.rows.find((row) => row.seq === lost.row.seq)
    if (now && Buffer.compare(now.bytes, lost.row.bytes) === 0)
      throw damagedEvent(conversation, now.seq, describeLost(lost.payload))
    page = next
  }
}

/** Events of rows, and the first row with a string that was stored apart and is missing or damaged. */
interface ReadEvents {
  entries: readonly (StoredEvent | DamagedEvent)[]
  lost?: { row: EventRow; payload: Payload }
}

/** Reads the events of verified rows, with the strings that were stored apart. */
async function readEvents(rows: readonly EventRow[], blobs: BlobRows): Promise<ReadEvents> {
  const opened = rows.map((row) => ({ row, ...openEvent(row.bytes) }))
  const known = await readBlobs(blobs, getHashes(opened.flatMap(({ payloads }) => payloads)))
  const entries: (StoredEvent | DamagedEvent)[] = []
  for (const { row, value, payloads } of opened) {
    const payload = putPayloads(value, payloads, (sha256) => known.get(sha256))
    if (payload) return { entries, lost: { row, payload } }
    const decoded = decodeEvent(value)
    const { seq, at, bytes, original, scrubbed } = row
    const more = { ...(original && { original }), ...(scrubbed && { scrubbedAt: scrubbed.at }) }
    entries.push(
      decoded.ok
        ? { seq, at, event: decoded.event, ...more }
        : { seq, bytes, problem: { ...decoded.problem, path: `/${seq}` } },
    )
  }
  return { entries }
}

async function listConversations(
  rows: EventRows,
  request: ConversationListRequest,
): Promise<ConversationList> {
  const { listed, ...next } = await readListPage(
    request,
    ({ limit, position = Number.MAX_SAFE_INTEGER }) => rows.list({ limit, below: position }),
  )
  return { conversations: listed.map(({ position: _position, ...summary }) => summary), ...next }
}

/** Searches the index of the rows and reads the found events, so a hit is verified like any event. */
async function searchStore(
  rows: EventRows,
  { text, limit = HITS, ...scope }: SearchRequest,
): Promise<readonly SearchHit[]> {
  const terms = [...new Set(getWords(text))]
  const searched = getSearched(scope)
  if (terms.length === 0 || searched?.length === 0) return []
  const matches = await rows.search({
    terms,
    limit: countValue('limit', limit),
    ...(searched && { conversations: searched }),
  })
  const hits = await Promise.all(
    matches.map(async (hit): Promise<SearchHit[]> => {
      const { events } = await readPage(rows, hit.conversation, { after: hit.seq - 1, limit: 1 })
      return events.map(({ seq, at, event }) => {
        const excerpt = getExcerpt(getEventText(event), terms)
        return { conversation: hit.conversation, seq, at, type: event.type, excerpt }
      })
    }),
  )
  return hits.flat()
}

/** Returns the conversations that are searched; absent: all. */
export function getSearched({
  conversation,
  conversations,
}: Pick<SearchRequest, 'conversation' | 'conversations'>): readonly string[] | undefined {
  if (conversation === undefined) return conversations
  return conversations?.includes(conversation) === false ? [] : [conversation]
}

/** Number of characters on each side of the first found word. */
const AROUND = 60

/** Returns the first of the words with the text around it, on one line. */
export function getExcerpt(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = terms.map((word) => lower.indexOf(word)).filter((index) => index !== -1)
  const first = places.length === 0 ? 0 : Math.min(...places)
  const from = Math.max(0, first - AROUND)
  const to = Math.min(text.length, first + 2 * AROUND)
  const part = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`
}

/**
 * Yields the existing events and those that are appended, each once and in their order. If the conversation is deleted and begun again, yields the new
 * events from the first. Ends when the signal aborts. Throws what reading a page throws.
 */
async function* followConversation(
  rows: EventRows,
  conversation: string,
  { after = 0, signal = NEVER }: FollowRequest,
): AsyncGenerator<StoredEvent | DamagedEvent> {
  let last: FollowedEvent = after === 0 ? EMPTY_CHAIN_HEAD : { seq: after }
  while (!signal.aborted) {
    const page = await readEntries(rows, conversation, { after: last.seq })
    const { entries, more, previous, lastChain = previous } = page
    if (last.chain && !(previous && equalHash(previous, last.chain))) {
      last = EMPTY_CHAIN_HEAD
      continue
    }
    yield* entries
    last = { seq: entries.at(-1)?.seq ?? last.seq, ...(lastChain && { chain: lastChain }) }
    if (!more && entries.length === 0) await rows.appended(conversation, last, signal)
  }
}

const NEVER = new AbortController().signal

async function verifyAll(rows: EventRows, conversation: string): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = []
  let last: ChainHead = EMPTY_CHAIN_HEAD
  for (;;) {
    const after = last.seq
    const page = await rows.scan(conversation, after, SLICE)
    for (const row of page.rows) {
      problems.push(...verifyRow(conversation, last, row))
      last = row
    }
    problems.push(...(await verifyBlobs(rows, conversation, page.rows)))
    // A damaged number may be less than the one before it. It was reported above, and the rows after it cannot be read.
    if (page.rows.length < SLICE || last.seq <= after)
      return [...problems, ...verifyHead(last, page.head)]
  }
}

/** Returns a problem for each event with a missing or damaged blob. */
async function verifyBlobs(
  rows: EventRows,
  conversation: string,
  eventRows: readonly EventRow[],
): Promise<StoreProblem[]> {
  const opened = eventRows.map((row) => ({ row, payloads: openEvent(row.bytes).payloads }))
  const known = await readBlobs(rows.blobs, getHashes(opened.flatMap(({ payloads }) => payloads)))
  const problems: StoreProblem[] = []
  for (const { row, payloads } of opened) {
    const lost = payloads.find(({ sha256 }) => !known.has(sha256))
    if (!lost) continue
    const { seq, bytes } = row
    const now = (await rows.scan(conversation, seq - 1, 1)).rows.find((each) => each.seq === seq)
    if (now && Buffer.compare(now.bytes, bytes) === 0)
      problems.push({ path: `/${seq}`, message: describeLost(lost), code: 'damaged-event' })
    // The event was scrubbed meanwhile.
    else if (now) problems.push(...(await verifyBlobs(rows, conversation, [now])))
  }
  return problems
}

function getHashes(payloads: readonly Payload[]): readonly string[] {
  return [...new Set(payloads.map(({ sha256 }) => sha256))]
}

function describeLost({ path, sha256 }: Payload): string {
  return `the text at ${path} (blob ${sha256.slice(0, 12)}…) is missing or damaged`
}
