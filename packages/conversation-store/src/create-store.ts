import { followConversation } from './follow/follow-conversation.ts'
import { searchStore } from './search/search-store.ts'
import { putBlobs, storeBytes } from './blobs/store-bytes.ts'
import { readEvents, verifyBlobs } from './events/read-events.ts'
import { writeEvent } from './events/write-event.ts'
import type { ConversationStore, Page, PageRequest } from './conversation-store.ts'
import { countOf } from './count-of.ts'
import { type Head, NO_HEAD } from './rows/event-row.ts'
import type { EventRows, RowRange } from './rows/event-rows.ts'
import { spanOf } from './rows/row-span.ts'
import { listConversations } from './list-conversations.ts'
import { StoreError } from './store-error.ts'
import { provePage, verifyHead, verifyRow } from './verify-rows.ts'
import type { StoreProblem } from './store-problem.ts'

/** Events of a page: what a page holds lives longer than the memory for short-lived things, which grows with it. */
const PAGE = 50
/** Rows that are verified at once. */
const SLICE = 200
const INLINE_LIMIT = 8192

/** How a store keeps what it is given. */
export interface StoreOptions {
  /** The clock that dates events. Default: the machine's. */
  now?: () => Date
  /** Characters of a string of an event up to which it stays in the event; longer ones become blobs. Default: 8192. */
  inlineLimit?: number
}

/** Makes a store of rows that a host keeps itself: everything but the keeping. */
export function createStore(rows: EventRows, options: StoreOptions = {}): ConversationStore {
  const { now = () => new Date(), inlineLimit = INLINE_LIMIT } = options
  return {
    append: async (conversation, expectedSeq, events) => {
      checkId(conversation)
      const at = now().toISOString()
      const written = events.map((event, index) =>
        writeEvent(event, { path: `/${index}`, inlineLimit, now: at }),
      )
      const blobs = written.flatMap((event) => event.blobs)
      if (blobs.length > 0) await putBlobs(rows.blobs, blobs, at)
      return await rows.append(
        conversation,
        expectedSeq,
        written.map(({ row }) => row),
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
      return await verifyAll(rows, conversation)
    },
    search: async (request) =>
      await searchStore(rows, (id, page = {}) => readPage(rows, id, page), request),
    follow: (conversation, request = {}) => {
      checkId(conversation)
      const read: ConversationStore['read'] = (id, page = {}) => readPage(rows, id, page)
      return followConversation(rows, read, conversation, request)
    },
    scrub: async (request) => {
      if (request.conversation !== undefined) checkId(request.conversation)
      // Few hosts scrub, and those that do not need none of the tables of HTML entities.
      const { scrubStore } = await import('./scrub/scrub-store.ts')
      return await scrubStore(rows, request, now)
    },
    ...storeBytes(rows.blobs, now),
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
  const decoded = await readEvents(conversation, provePage(conversation, span, found), rows.blobs)
  return {
    events: decoded.filter((entry) => 'event' in entry),
    damaged: decoded.filter((entry) => 'problem' in entry),
    more: span.more,
  }
}

async function verifyAll(rows: EventRows, conversation: string): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = []
  let last: Head = NO_HEAD
  for (;;) {
    const after = last.seq
    const found = await rows.scan(conversation, after, SLICE)
    for (const row of found.rows) {
      problems.push(...verifyRow(conversation, last, row))
      last = row
    }
    problems.push(...(await verifyBlobs(found.rows, rows.blobs)))
    // A damaged number may lead back: then it was named above, and there is no way on.
    if (found.rows.length < SLICE || last.seq <= after)
      return [...problems, ...verifyHead(last, found.head)]
  }
}
