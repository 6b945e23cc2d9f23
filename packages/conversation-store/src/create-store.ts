import type { Problem } from '@toolblocks/protocol'
import type { ConversationStore, DamagedEvent, Page, PageRequest } from './conversation-store.ts'
import type { StoredEvent } from './events/conversation-event.ts'
import { decodeEvent } from './events/decode-event.ts'
import { encodeEvent } from './events/encode-event.ts'
import { NO_HEAD, type EventRow, type Head } from './rows/event-row.ts'
import type { EventRows, RowRange } from './rows/event-rows.ts'
import { hasItsBytes, verifyHead, verifyRow } from './verify-rows.ts'

const PAGE = 200
const LIST = 50

/** Makes a store of rows: what is the same for every kind of store. */
export function createStore(rows: EventRows, now: () => Date): ConversationStore {
  return {
    append: async (conversation, expectedSeq, events) => {
      const at = now().toISOString()
      const encoded = events.map((event) => ({ at, bytes: encodeEvent(event) }))
      return await rows.append(conversation, expectedSeq, encoded)
    },
    read: async (conversation, request = {}) => await readPage(rows, conversation, request),
    list: async ({ limit = LIST, offset = 0 } = {}) =>
      await rows.list({ limit: countOf(limit), offset: countOf(offset) }),
    delete: async (conversation) => await rows.delete(conversation),
    verify: async (conversation) => await verifyAll(rows, conversation),
    close: async () => await rows.close(),
  }
}

/** Any number as a count that every kind of rows takes; `Infinity` is all of them. */
function countOf(value: number): number {
  return Math.trunc(Math.min(Math.max(value, 0), Number.MAX_SAFE_INTEGER - 1))
}

async function readPage(
  rows: EventRows,
  conversation: string,
  request: PageRequest,
): Promise<Page> {
  const { after = 0, before = Infinity } = request
  const limit = countOf(request.limit ?? PAGE)
  const from: RowRange['from'] =
    request.before !== undefined && request.after === undefined ? 'last' : 'first'
  const found = await rows.read(conversation, { after, before, from, limit: limit + 1 })
  const more = found.length > limit
  const page = from === 'first' ? found.slice(0, limit) : found.slice(more ? 1 : 0)
  const decoded = page.map(decodeRow)
  return {
    events: decoded.filter((entry) => 'event' in entry),
    damaged: decoded.filter((entry) => 'problem' in entry),
    more,
  }
}

function decodeRow(row: EventRow): StoredEvent | DamagedEvent {
  const { seq, at, bytes } = row
  const path = `/${seq}`
  if (!hasItsBytes(row)) {
    const message = `the bytes of event ${seq} are not those that were written`
    return { seq, bytes, problem: { path, message, code: 'damaged-event' } }
  }
  const decoded = decodeEvent(bytes)
  return decoded.ok
    ? { seq, at, event: decoded.event }
    : { seq, bytes, problem: { ...decoded.problem, path } }
}

async function verifyAll(rows: EventRows, conversation: string): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  let last: Head = NO_HEAD
  for (;;) {
    const range: RowRange = { after: last.seq, before: Infinity, limit: PAGE, from: 'first' }
    const found = await rows.read(conversation, range)
    for (const row of found) {
      problems.push(...verifyRow(last, row))
      last = row
    }
    if (found.length < PAGE)
      return [...problems, ...verifyHead(last, await rows.head(conversation))]
  }
}
