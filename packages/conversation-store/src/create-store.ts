import type { Problem } from '@toolblocks/protocol'
import type { ConversationStore, DamagedEvent, Page, PageRequest } from './conversation-store.ts'
import type { StoredEvent } from './events/conversation-event.ts'
import { decodeEvent } from './events/decode-event.ts'
import { encodeEvent } from './events/encode-event.ts'
import { NO_HEAD, type EventRow, type Head } from './rows/event-row.ts'
import type { EventRows, RowRange } from './rows/event-rows.ts'
import { spanOf } from './rows/row-span.ts'
import { StoreError } from './store-error.ts'
import { provePage, verifyHead, verifyRow } from './verify-rows.ts'

const PAGE = 200
const LIST = 50

/** Makes a store of rows: what is the same for every kind of store. */
export function createStore(rows: EventRows, now: () => Date): ConversationStore {
  return {
    append: async (conversation, expectedSeq, events) => {
      checkId(conversation)
      const at = now().toISOString()
      const encoded = events.map((event) => ({ at, bytes: encodeEvent(event) }))
      return await rows.append(conversation, expectedSeq, encoded)
    },
    read: async (conversation, request = {}) => {
      checkId(conversation)
      return await readPage(rows, conversation, request)
    },
    list: async ({ limit = LIST, offset = 0 } = {}) =>
      await rows.list({ limit: countOf(limit), offset: countOf(offset) }),
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

/** Any number as a count that every kind of rows takes; `Infinity` is all of them, and `NaN` none. */
function countOf(value: number): number {
  return Math.trunc(Math.min(Math.max(value || 0, 0), Number.MAX_SAFE_INTEGER - 1))
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

function decodeRow({ seq, at, bytes }: EventRow): StoredEvent | DamagedEvent {
  const decoded = decodeEvent(bytes)
  return decoded.ok
    ? { seq, at, event: decoded.event }
    : { seq, bytes, problem: { ...decoded.problem, path: `/${seq}` } }
}

async function verifyAll(rows: EventRows, conversation: string): Promise<readonly Problem[]> {
  const problems: Problem[] = []
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
