import type { StoredBlob } from '../events/blob.ts'
import type { EventBytes, EventRow, StoredHead } from './event-row.ts'

/** One conversation in a list. */
export interface ConversationSummary {
  id: string
  /** How many events it has. */
  events: number
  /** When the first event happened: ISO 8601, UTC. */
  createdAt: string
  /** When the last event happened: ISO 8601, UTC. */
  updatedAt: string
}

/** A conversation with its place in the order of writing: greater is later, and no two have the same. */
export interface ListedConversation extends ConversationSummary {
  /** Grows with every append of any conversation. */
  place: number
}

/** Which rows to read, in ascending order. All are whole numbers, `before` and `limit` at most `MAX_SAFE_INTEGER`. */
export interface RowRange {
  /** Rows with a greater `seq`. */
  after: number
  /** Rows with a smaller `seq`. */
  before: number
  /** The most rows; 0 is none. */
  limit: number
  /** From which end the limit counts. */
  from: 'first' | 'last'
}

/** Which events to find. */
export interface SearchQuery {
  /** All of them must be in the event; letters and digits in lower case, at least one. */
  words: readonly string[]
  /** Only in this conversation. */
  conversation?: string
  /** At most so many events, at least 1. */
  limit: number
}

/** Where an event is. */
export interface FoundEvent {
  /** Id of the conversation that has it. */
  conversation: string
  /** Its place in the conversation, counted from 1. */
  seq: number
}

/** What was found for a range, all at one moment; nothing of it is proven yet. */
export interface SearchRowsResult {
  rows: readonly EventRow[]
  /** The `chain` of the row before the range's first: empty before the first of all, undefined where it is missing. */
  previous: Uint8Array | undefined
  /** What is kept of the conversation beside its rows. */
  head: StoredHead
}

/**
 * Keeps rows; every kind of store is one of these, and a host can bring its own to `createStore`. All of one `append` is kept, or
 * nothing; members may be called side by side. `@toolblocks/conversation-store/compliance` tests one.
 */
export interface EventRows {
  /** Chains and keeps events if the conversation's last `seq` is `expected`; answers with the last `seq` there is. */
  append(
    conversation: string,
    expected: number,
    events: readonly EventBytes[],
  ): Promise<{ ok: boolean; seq: number }>
  /** What a range has, by what the head says. */
  read(conversation: string, range: RowRange): Promise<SearchRowsResult>
  /** The rows after a place, whatever the head says, and the head. */
  scan(
    conversation: string,
    after: number,
    limit: number,
  ): Promise<Pick<SearchRowsResult, 'rows' | 'head'>>
  /** Most recently written first, below a place in that order. */
  list(page: { limit: number; below: number }): Promise<readonly ListedConversation[]>
  /** Events with words, those that were written last first. */
  search(query: SearchQuery): Promise<readonly FoundEvent[]>
  /** Bytes that events name. */
  readonly blobs: BlobRows
  /** Puts a row in the place of the one with its `seq` and `chain`, with the blobs and words of its own; where there is none, nothing. */
  rewrite(conversation: string, row: EventRow): Promise<void>
  /** Leaves nothing, in what it keeps, of what was removed or rewritten. */
  purge(): Promise<void>
  /**
   * Settles once a conversation may have events after a place, or the signal aborts; it may settle for nothing, but not miss one. Rejects once the
   * rows are closed.
   */
  appended(conversation: string, after: number, signal: AbortSignal): Promise<void>
  /** Answers whether there was such a conversation. */
  delete(conversation: string): Promise<boolean>
  /** Lets go of what the rows are kept in, such as files and connections. */
  close(): Promise<void>
}

/** Keeps blobs by their hash. The pieces of one are named by it (`piecesOf`), as events name blobs. Which events name one is told with the events (`EventBytes.blobs`). */
export interface BlobRows {
  /**
   * Keeps those that are not there yet; of the others, and of the pieces of one, `at` becomes the time they were put. All at once, or none: none where a
   * piece is not there, which is an error.
   */
  put(blobs: readonly StoredBlob[], at: string): Promise<void>
  /** Those there are, in any order. */
  get(hashes: readonly string[]): Promise<readonly StoredBlob[]>
  /** Removes those that no event names and that were put at `at` or before. */
  drop(hashes: readonly string[], at: string): Promise<void>
  /** Removes what no event names and was put before a time; answers how many. Others may put and append meanwhile. */
  collect(before: string): Promise<number>
}

/** The rows that a range has in a conversation: no row where `last` is less than `first`. */
export interface RowSpan {
  /** `seq` of the first row. */
  first: number
  /** Inclusive. */
  last: number
  /** Whether the range has more rows than its limit. */
  more: boolean
}

/** Which rows a range has in a conversation of `count` events: they are numbered from 1 without a gap. */
export function resolveRowRange({ after, before, limit, from }: RowRange, count: number): RowSpan {
  const first = after + 1
  const last = Math.min(before - 1, count)
  const more = last - after > limit
  if (!more) return { first, last, more }
  return from === 'first'
    ? { first, last: after + limit, more }
    : { first: last - limit + 1, last, more }
}
