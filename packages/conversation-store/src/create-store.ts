import type { ConversationStore, DamagedEvent, Page, PageRequest } from './conversation-store.ts'
import type { ConversationEvent, DatedEvent, StoredEvent } from './events/conversation-event.ts'
import { countOf } from './count-of.ts'
import { decodeEvent } from './events/decode-event.ts'
import { encodeEvent, unstorable } from './events/encode-event.ts'
import { type EventBytes, type EventRow, type Head, NO_HEAD } from './rows/event-row.ts'
import type { EventRows, RowRange } from './rows/event-rows.ts'
import { spanOf } from './rows/row-span.ts'
import { listConversations } from './list-conversations.ts'
import { StoreError } from './store-error.ts'
import { provePage, verifyHead, verifyRow } from './verify-rows.ts'
import type { StoreProblem } from './store-problem.ts'

const PAGE = 200

/** Makes a store of rows that a host keeps itself: everything but the keeping. `now` dates events; default: the machine's clock. */
export function createStore(
  rows: EventRows,
  now: () => Date = () => new Date(),
): ConversationStore {
  return {
    append: async (conversation, expectedSeq, events) => {
      checkId(conversation)
      const at = now().toISOString()
      const encoded = events.map((event, index) => toBytes(event, `/${index}`, at))
      return await rows.append(conversation, expectedSeq, encoded)
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
      return await verifyAll(rows, conversation)
    },
    close: async () => await rows.close(),
  }
}

/** UTF-8 has no bytes for half a surrogate pair: two such ids would be one. */
function checkId(conversation: string): void {
  if (conversation.isWellFormed()) return
  const message = `The conversation id ${JSON.stringify(conversation)} contains half a surrogate pair, which no store can keep; use another id.`
  throw new StoreError('invalid-id', message)
}

async function readPage(
  rows: EventRows,
  conversation: string,
  request: PageRequest,
): Promise<Page> {
  const { after = 0, before = Infinity, limit = PAGE } = request
  const range: RowRange = {
    after: countOf(after),
    before: countOf(Math.ceil(before)),
    limit: countOf(limit),
    from: request.before !== undefined && request.after === undefined ? 'last' : 'first',
  }
  const found = await rows.read(conversation, range)
  const span = spanOf(range, found.head.seq)
  const decoded = provePage(conversation, span, found).map(decodeRow)
  return {
    events: decoded.filter((entry) => 'event' in entry),
    damaged: decoded.filter((entry) => 'problem' in entry),
    more: span.more,
  }
}

/** An event with its own time, or that of the store. */
function toBytes(given: ConversationEvent | DatedEvent, path: string, now: string): EventBytes {
  if (!isDated(given)) return { at: now, bytes: encodeEvent(given, path) }
  const { event, at, original } = given
  const time = new Date(at)
  if (Number.isNaN(time.getTime())) {
    const [expected, got] = ['a time as ISO 8601', JSON.stringify(at) ?? 'nothing']
    const message = `expected ${expected}, got ${got}`
    throw unstorable({ path: `${path}/at`, message, expected, got })
  }
  const bytes = encodeEvent(event, `${path}/event`)
  return { at: time.toISOString(), bytes, ...(original && { original }) }
}

/** What is given may be anything at all. */
function isDated(given: ConversationEvent | DatedEvent | null): given is DatedEvent {
  return typeof given === 'object' && given !== null && 'event' in given
}

function decodeRow({ seq, at, bytes, original }: EventRow): StoredEvent | DamagedEvent {
  const decoded = decodeEvent(bytes)
  return decoded.ok
    ? { seq, at, event: decoded.event, ...(original && { original }) }
    : { seq, bytes, problem: { ...decoded.problem, path: `/${seq}` } }
}

async function verifyAll(rows: EventRows, conversation: string): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = []
  let last: Head = NO_HEAD
  for (;;) {
    const after = last.seq
    const found = await rows.scan(conversation, after, PAGE)
    for (const row of found.rows) {
      problems.push(...verifyRow(conversation, last, row))
      last = row
    }
    // A damaged number may lead back: then it was named above, and there is no way on.
    if (found.rows.length < PAGE || last.seq <= after)
      return [...problems, ...verifyHead(last, found.head)]
  }
}
