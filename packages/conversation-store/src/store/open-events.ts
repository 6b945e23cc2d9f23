import { getErrorText } from '@toolblocks/protocol/internal'
import type { ConversationEvent, DatedEvent, StoredEvent } from '../events/conversation-event.ts'
import { decodeEvent } from '../events/decode-event.ts'
import { getEventText, getWords } from '../events/event-text.ts'
import { StoreError } from '../problems/store-error.ts'
import { type ListedConversation, resolveRowRange } from '../rows/event-rows.ts'
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
} from './conversation-store.ts'
import { HITS, PAGE, createStore, getExcerpt, getSearched } from './create-store.ts'
import { countValue, readListPage } from './list-page.ts'
import { writeEvent } from './serialize-event.ts'

/** A conversation whose events are not in a store, for example those in a file of another program. */
export interface OutsideConversation {
  id: string
  /** The number of events. */
  length: number
  /** Returns the event at an index. Called whenever that event is read; may throw if the event cannot be read any more. */
  get(index: number): Omit<DatedEvent, 'original'>
  /** Returns the record from which the event was made. */
  getOriginal(index: number): Uint8Array | undefined
  /** Returns the event that is read in place of one that no store can keep. */
  getInstead(index: number): ConversationEvent
}

/** A conversation and what the list says about it. */
interface OpenedEvents {
  conversation: OutsideConversation
  summary: ListedConversation
}

/**
 * Opens conversations as a store that can only be read, in the order in which they begin. It returns the same as a store to which their events were
 * appended, but keeps none of them. `originals`: whether the events that are read have their originals. `bytes`: what `readBytes` returns. A page
 * without a limit may have fewer events than that of another store.
 */
export async function openEvents(
  conversations: readonly OutsideConversation[],
  { originals = 'read', bytes = [] }: { originals?: 'read' | 'omit'; bytes?: Iterable<Uint8Array> },
): Promise<ConversationStore> {
  const base = createStore(await openSqliteRows(MEMORY))
  for (const each of bytes) await base.keepBytes(each)
  const opened = conversations.map((conversation, index) => ({
    conversation,
    summary: summarize(conversation, index + 1),
  }))
  const newest = opened.toSorted((one, other) => other.summary.position - one.summary.position)
  const listed = newest.map(({ summary }) => summary)
  const byId = new Map(conversations.map((each) => [each.id, each]))
  const find = (id: string): OutsideConversation => byId.get(id) ?? { ...NOTHING, id }
  return {
    ...base,
    append: refuse,
    delete: refuse,
    scrub: refuse,
    keepBytes: refuse,
    collectBytes: refuse,
    documents: { ...base.documents, write: refuse, remove: refuse },
    verify: async () => [],
    read: async (id, request = {}) => readPage(find(id), request, originals),
    list: async (request = {}) => {
      const page = await readListPage(request, async ({ limit, position = Infinity }) =>
        listed.filter((each) => each.position < position).slice(0, limit),
      )
      const { listed: entries, ...next } = page
      return {
        conversations: entries.map(({ position: _position, ...summary }) => summary),
        ...next,
      }
    },
    search: async (request) => searchConversations(newest, request),
    follow: async function* (id, { after = 0, signal } = {}) {
      const one = find(id)
      for (let index = 0; index < one.length; index += 1) {
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

const NOTHING: Omit<OutsideConversation, 'id'> = {
  length: 0,
  get: noEvent,
  getOriginal: noEvent,
  getInstead: noEvent,
}

function noEvent(index: number): never {
  throw new StoreError('failed', `There is no event ${index + 1}.`)
}

async function refuse(): Promise<never> {
  const message =
    'Conversations of files are only read: import them into a store of your own with importConversation().'
  throw new StoreError('read-only', message)
}

function summarize({ id, length, get }: OutsideConversation, number: number): ListedConversation {
  const [createdAt, updatedAt] = [toTime(get(0).at), toTime(get(length - 1).at)]
  const { from } = getListPlace(
    [{ at: updatedAt, bytes: new Uint8Array() }],
    new Date().toISOString(),
  )
  const position = from + (number % PLACES)
  return { id, events: length, createdAt, updatedAt, position }
}

function toTime(time: string): string {
  return new Date(time).toISOString()
}

function readPage(
  one: OutsideConversation,
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
  const { first, last, more } = resolveRowRange(range, one.length)
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
  conversation: OutsideConversation,
  index: number,
  originals: 'read' | 'omit' = 'read',
): { entry: StoredEvent | DamagedEvent; bytes: number } {
  const seq = index + 1
  try {
    const outside = conversation.get(index)
    const bytes = originals === 'read' ? conversation.getOriginal(index) : undefined
    const original = bytes && new Uint8Array(bytes)
    const text = encode(conversation, index)
    const decoded = decodeEvent(JSON.parse(text))
    const entry = decoded.ok
      ? { seq, at: toTime(outside.at), event: decoded.event, ...(original && { original }) }
      : { seq, bytes: Buffer.from(text), problem: { ...decoded.problem, path: `/${seq}` } }
    return { entry, bytes: text.length }
  } catch (error) {
    // A text is read from the file only now, and the file may have been replaced.
    const message = getErrorText(error)
    const problem = { path: `/${seq}`, message, code: 'damaged-event' } as const
    return { entry: { seq, bytes: new Uint8Array(), problem }, bytes: 0 }
  }
}

function encode({ get, getInstead }: OutsideConversation, index: number): string {
  try {
    return writeEvent(get(index).event, '')
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return writeEvent(getInstead(index), '')
  }
}

/** Searches all events, those of the newest conversation first. */
function searchConversations(
  newest: readonly OpenedEvents[],
  { text, limit = HITS, ...scope }: SearchRequest,
): readonly SearchHit[] {
  const terms = [...new Set(getWords(text))]
  const hits: SearchHit[] = []
  if (terms.length === 0) return hits
  const most = countValue('limit', limit)
  const searched = getSearched(scope)
  for (const { conversation: one } of newest) {
    if (searched?.includes(one.id) === false) continue
    for (let index = one.length - 1; index >= 0; index -= 1) {
      if (hits.length >= most) return hits
      if (!hasWords(getEventText(getForSearch(one, index)), terms)) continue
      const { entry } = decode(one, index, 'omit')
      if (!('event' in entry)) continue
      const { seq, at, event } = entry
      const excerpt = getExcerpt(getEventText(event), terms)
      hits.push({ conversation: one.id, seq, at, type: event.type, excerpt })
    }
  }
  return hits
}

/** Returns an event to search. Without it, the search would not be complete. */
function getForSearch(one: OutsideConversation, index: number): ConversationEvent {
  try {
    return one.get(index).event
  } catch (cause) {
    const message = `The search is not complete: event ${index + 1} of ${JSON.stringify(one.id)} cannot be read: ${getErrorText(cause)}.`
    throw new StoreError('failed', message, { cause })
  }
}

function hasWords(text: string, terms: readonly string[]): boolean {
  const lower = text.toLowerCase()
  // Splitting a text into words takes longer than finding that it has none of them.
  if (!terms.every((word) => lower.includes(word))) return false
  const known = new Set(getWords(text))
  return terms.every((word) => known.has(word))
}
