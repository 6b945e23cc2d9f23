import { requireArguments } from '@toolblocks/protocol/json'
import type { StoredEvent } from '../events/conversation-event.ts'
import { decodeEvent } from '../events/decode-event.ts'
import { getEventText, getWords } from '../events/event-text.ts'
import { StoreError } from '../problems/store-error.ts'
import type { ListedConversation } from '../rows/event-rows.ts'
import { resolveRowRange } from '../rows/event-rows.ts'
import { PLACES, getListPlace } from '../rows/list-place.ts'
import { MEMORY } from '../rows/sqlite/open-database.ts'
import { openSqliteRows } from '../rows/sqlite/sqlite-rows.ts'
import type {
  ConversationStore,
  DamagedEvent,
  EventPage,
  EventPageRequest,
  SearchHit,
  SearchRequest,
} from '../store/conversation-store.ts'
import { HITS, PAGE, createStore, getExcerpt } from '../store/create-store.ts'
import { countValue, readListPage } from '../store/list-page.ts'
import { writeEvent } from '../store/serialize-event.ts'
import { compareStored } from './compare-stored.ts'
import type { ImportedRecord } from './convert/imported-event.ts'
import type { DatedImport, ReadConversation } from './convert/read-conversation.ts'
import { getConversationIds, toDatedEvent } from './import-conversation.ts'

/** The events of a conversation under one id. */
interface Opened extends Pick<ReadConversation, 'format' | 'events'> {
  /** Its place in the order in which the conversations begin, from 1. */
  number: number
  summary: ListedConversation
}

const NOTHING: Pick<Opened, 'format' | 'events'> = { format: 'toolblocks', events: [] }

/**
 * Opens conversations that were read as a store that can only be read. It returns the same as a store into which they were imported, but keeps nothing
 * beside them: an event is converted when it is read. Conversations with the same id get the ids that an import would give them. `originals`: whether
 * the events that are read have the bytes of their records; default: `read`. A page without a limit may have fewer events than that of another store.
 */
export async function openConversations(
  conversations: readonly ReadConversation[],
  { originals = 'read' }: { originals?: 'read' | 'omit' } = {},
): Promise<ConversationStore> {
  requireArguments('openConversations(conversations)', [conversations, 'array'])
  const base = createStore(await openSqliteRows(MEMORY))
  const opened = new Map<string, Opened>()
  for (const read of conversations) {
    addConversation(opened, read)
    for (const bytes of read.rawOutputs ?? []) await base.keepBytes(bytes)
  }
  const newest = [...opened.values()].toSorted(
    (one, other) => other.summary.place - one.summary.place,
  )
  const listed = newest.map(({ summary }) => summary)

  const find = (id: string): Pick<Opened, 'format' | 'events'> => opened.get(id) ?? NOTHING
  return {
    ...base,
    append: refuse,
    delete: refuse,
    scrub: refuse,
    keepBytes: refuse,
    collectBytes: refuse,
    verify: async () => [],
    read: async (id, request = {}) => readPage(find(id), request, originals),
    list: async (request = {}) => {
      const page = await readListPage(request, async ({ limit, place = Infinity }) =>
        listed.filter((each) => each.place < place).slice(0, limit),
      )
      const { listed: found, ...next } = page
      return { conversations: found.map(({ place: _place, ...summary }) => summary), ...next }
    },
    search: async (request) => searchConversations(newest, request),
    follow: async function* (id, { after = 0, signal } = {}) {
      const one = find(id)
      for (const index of one.events.keys()) {
        if (signal?.aborted === true) return
        if (index >= after) yield decode(one, index).entry
      }
      // Nothing is ever added.
      if (signal?.aborted !== true)
        await new Promise<void>((resolve) =>
          signal?.addEventListener('abort', () => resolve(), { once: true }),
        )
    },
  }
}

async function refuse(): Promise<never> {
  const message =
    'Conversations of files are only read: import them into a store of your own with importConversation().'
  throw new StoreError('read-only', message)
}

/** Adds a conversation under the first id that is free, or whose conversation it continues. */
function addConversation(opened: Map<string, Opened>, read: ReadConversation): void {
  for (const id of getConversationIds(read)) {
    const kept = opened.get(id)
    const stored = kept?.events.map((_, index) => decode(kept, index).entry) ?? []
    const part = compareStored(
      stored.filter((each) => 'event' in each),
      read,
    )
    if (!part) continue
    if (kept && part.rest.length === 0) return
    const events = kept ? [...kept.events, ...part.rest] : read.events
    if (events.length === 0) return
    // A store numbers conversations in the order in which they begin, and orders those of one second by their numbers.
    const number = kept?.number ?? opened.size + 1
    const summary = summarize(id, { number, events })
    opened.set(id, { format: read.format, events, number, summary })
    return
  }
}

function summarize(
  id: string,
  { number, events }: Pick<Opened, 'number' | 'events'>,
): ListedConversation {
  const [createdAt, updatedAt] = [toTime(events[0]?.at ?? ''), toTime(events.at(-1)?.at ?? '')]
  const { from } = getListPlace(
    [{ at: updatedAt, bytes: new Uint8Array() }],
    new Date().toISOString(),
  )
  const place = from + (number % PLACES)
  return { id, events: events.length, createdAt, updatedAt, place }
}

function toTime(at: string): string {
  return new Date(at).toISOString()
}

function readPage(
  one: Pick<Opened, 'format' | 'events'>,
  request: EventPageRequest,
  originals: 'read' | 'omit',
): EventPage {
  const { after = 0, before = Infinity, limit = PAGE } = request
  const from = request.before !== undefined && request.after === undefined ? 'last' : 'first'
  const range = {
    after: countValue('after', after),
    before: countValue('before', Math.ceil(before)),
    limit: countValue('limit', limit),
    from,
  } as const
  const { first, last, more } = resolveRowRange(range, one.events.length)
  const isOpen = request.limit === undefined && from === 'first'
  const entries: (StoredEvent | DamagedEvent)[] = []
  let left = isOpen ? PAGE_BYTES : Infinity
  for (let index = first - 1; index < last && left > 0; index += 1) {
    const { entry, bytes } = decode(one, index, originals)
    entries.push(entry)
    left -= bytes
  }
  return {
    events: entries.filter((entry) => 'event' in entry),
    damaged: entries.filter((entry) => 'problem' in entry),
    more: more || first - 1 + entries.length < last,
  }
}

/** A page without a limit ends after this number of bytes, so that a few events with megabytes are not in memory together. */
const PAGE_BYTES = 1024 * 1024

/** Returns an event as a store returns it: written as JSON, and read again. */
function decode(
  { format, events }: Pick<Opened, 'format' | 'events'>,
  index: number,
  originals: 'read' | 'omit' = 'read',
): { entry: StoredEvent | DamagedEvent; bytes: number } {
  const seq = index + 1
  const given = events[index]
  if (!given) throw new StoreError('failed', `There is no event ${seq}.`)
  try {
    const { at } = given
    const original = originals === 'read' && given.original && new Uint8Array(given.original)
    const text = encode(given, format)
    const decoded = decodeEvent(JSON.parse(text))
    const entry = decoded.ok
      ? { seq, at: toTime(at), event: decoded.event, ...(original && { original }) }
      : { seq, bytes: Buffer.from(text), problem: { ...decoded.problem, path: `/${seq}` } }
    return { entry, bytes: text.length }
  } catch (error) {
    // A text is read from the file only now, and the file may have been replaced.
    const message = error instanceof Error ? error.message : String(error)
    const problem = { path: `/${seq}`, message, code: 'damaged-event' } as const
    return { entry: { seq, bytes: new Uint8Array(), problem }, bytes: 0 }
  }
}

function encode({ event }: DatedImport, format: ReadConversation['format']): string {
  try {
    return writeEvent(toDatedEvent({ event, at: '' }).event, '')
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    // No store keeps the content of the record.
    const record: ImportedRecord = { type: 'imported_record', format, record: {} }
    return writeEvent(toDatedEvent({ event: record, at: '' }).event, '')
  }
}

/** Searches all events, those of the newest conversation first. */
function searchConversations(
  newest: readonly Opened[],
  { text, conversation, limit = HITS }: SearchRequest,
): readonly SearchHit[] {
  const words = [...new Set(getWords(text))]
  const hits: SearchHit[] = []
  if (words.length === 0) return hits
  const most = countValue('limit', limit)
  for (const one of newest) {
    const { id } = one.summary
    if (conversation !== undefined && id !== conversation) continue
    for (let index = one.events.length - 1; index >= 0; index -= 1) {
      if (hits.length >= most) return hits
      const given = one.events[index]
      const found = given && getEventText(toDatedEvent({ event: given.event, at: given.at }).event)
      if (found === undefined || !hasWords(found, words)) continue
      const { entry } = decode(one, index, 'omit')
      if (!('event' in entry)) continue
      const { seq, at, event } = entry
      const excerpt = getExcerpt(getEventText(event), words)
      hits.push({ conversation: id, seq, at, type: event.type, excerpt })
    }
  }
  return hits
}

function hasWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  // Splitting a text into words takes longer than finding that it has none of them.
  if (!words.every((word) => lower.includes(word))) return false
  const known = new Set(getWords(text))
  return words.every((word) => known.has(word))
}
