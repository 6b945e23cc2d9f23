import type { StoredBlob } from '../events/blob.ts'
import type { DocumentRows } from './document-rows.ts'
import type { EventBytes, EventRow, FollowedEvent, StoredHead } from './event-row.ts'

/** One conversation in a list. */
export interface ConversationSummary {
  id: string
  /** Number of its events. */
  events: number
  /** When the first event happened: ISO 8601, UTC. */
  createdAt: string
  /** When the last event happened: ISO 8601, UTC. */
  updatedAt: string
}

/** A conversation with its place in the list (`getListPlace`): a greater place is a later one, and no two are equal. */
export interface ListedConversation extends ConversationSummary {
  /** Every append to the conversation changes it, unless it is the latest one. */
  position: number
}

/** Which rows to read, in ascending order. All numbers are integers; `before` and `limit` are at most `MAX_SAFE_INTEGER`. */
export interface RowRange {
  /** Rows with a greater `seq`. */
  after: number
  /** Rows with a smaller `seq`. */
  before: number
  /** Maximum number of rows; 0 returns no rows. */
  limit: number
  /** The end from which the limit counts. */
  from: 'first' | 'last'
}

/** Which events to find. */
export interface SearchQuery {
  /** Words that must all be in the event; letters and digits in lower case, at least one word. */
  terms: readonly string[]
  /** Searches only these conversations, at least one. */
  conversations?: readonly string[]
  /** Maximum number of events, at least 1. */
  limit: number
}

/** The place of an event. */
export interface FoundEvent {
  /** Id of its conversation. */
  conversation: string
  /** Its place in the conversation, counted from 1. */
  seq: number
}

/** The rows of a range, all read at one moment. They are not verified yet. */
export interface SearchRowsResult {
  rows: readonly EventRow[]
  /** The `chain` of the row before the range's first one: empty before the first row of all, `undefined` if that row is missing. */
  previous: Uint8Array | undefined
  /** The data of the conversation that is stored beside its rows. */
  head: StoredHead
}

/** Blobs that are kept in the same step as the rows that refer to them, so that nobody can remove them in between. */
export interface NewBlobs {
  blobs: readonly StoredBlob[]
  /** The time of the append or of the rewrite: ISO 8601, UTC. */
  at: string
}

/** A change of a row that happens only if nobody else has changed the row meanwhile. */
export interface RowChange {
  /** The content of the row when it was read. */
  was: Pick<EventRow, 'bytes' | 'original'>
  /** The row with its new content, and the same `seq` and `chain`. */
  row: EventRow
  /** New blobs to which the row refers. */
  kept: NewBlobs
}

/**
 * Keeps rows. Every kind of store implements this interface, and a host can pass its own to `createStore`. One `append` keeps all of its events or
 * none. Calls may run at the same time.
 */
export interface EventRows {
  /**
   * Chains and keeps events, with the blobs `kept` for them, if the conversation's last `seq` is `expected`. Resolves to the last `seq` in the
   * store. `kept.at` is the time of the append; events with other times are those of an import.
   */
  append(
    conversation: string,
    expected: number,
    events: readonly EventBytes[],
    kept: NewBlobs,
  ): Promise<{ ok: boolean; seq: number }>
  /** Reads the rows of a range, up to the end that the head states. */
  read(conversation: string, range: RowRange): Promise<SearchRowsResult>
  /** Reads the rows after a place, regardless of the end that the head states, and the head. */
  scan(
    conversation: string,
    after: number,
    limit: number,
  ): Promise<Pick<SearchRowsResult, 'rows' | 'head'>>
  /**
   * Lists conversations below a place, the latest first: by when they were written, whatever the clock was then, and imported ones by the time of
   * their last event.
   */
  list(page: { limit: number; below: number }): Promise<readonly ListedConversation[]>
  /** Finds events by words, the most recently written first. */
  search(query: SearchQuery): Promise<readonly FoundEvent[]>
  /** The bytes to which events refer. */
  readonly blobs: BlobRows
  /**
   * Replaces the row with the same `seq` and `chain`, including its blobs and words. Resolves to false, and does nothing, if no such row exists or
   * its content is not `was`.
   */
  rewrite(conversation: string, change: RowChange): Promise<boolean>
  /** Removes all traces of deleted and rewritten data from the storage. */
  purge(): Promise<void>
  /**
   * Settles when a conversation may have events after the last one of a follower, when it may have been deleted, or when the signal aborts
   * (`hasMovedOn`). It may settle without a change, but must not miss one. Rejects once the rows are closed.
   */
  appended(conversation: string, last: FollowedEvent, signal: AbortSignal): Promise<void>
  /** Documents, which are not part of the chain. */
  readonly documents: DocumentRows
  /** Deletes a conversation, and in the same step the documents that belong to it. Resolves to whether it had events. */
  delete(conversation: string): Promise<boolean>
  /** Releases the resources of the rows, such as files and connections. */
  close(): Promise<void>
}

/** The time of the last put of a blob that no call keeps. It is before every other time. */
export const NO_PUT = ''

/** A span of the store's clock, in ISO 8601, UTC. If the clock was set back, `to` can be before `from`; then no time is in the span. */
export interface TimeSpan {
  from: string
  to: string
}

/**
 * Keeps blobs by their hash. A blob in pieces refers to its pieces (`piecesOf`), as events refer to blobs. Which events refer to a blob is passed
 * with the events (`EventBytes.blobs`).
 */
export interface BlobRows {
  /**
   * Keeps blobs to which an event will refer later: those that do not exist yet. For existing ones, and for the pieces of a blob, `time` becomes the
   * time of the last put. Keeps all of them or none; rejects if a piece does not exist. A blob that an append creates has no such time
   * (`NO_PUT`): only its events protect it.
   */
  put(blobs: readonly StoredBlob[], time: string): Promise<void>
  /** Returns the existing blobs, in any order. */
  get(hashes: readonly string[]): Promise<readonly StoredBlob[]>
  /** Returns the hashes of blobs to which neither an event nor another blob refers, in ascending order: the first ones after a hash. */
  unused(page: { after: string; limit: number }): Promise<readonly string[]>
  /** Removes those of the blobs to which no event refers, except those whose last put was after `during.from` and until `during.to`. */
  drop(hashes: readonly string[], during: TimeSpan): Promise<void>
  /**
   * Removes the blobs to which no event refers and whose last put was before a time. Resolves to their number. Other writers may put and append at
   * the same time.
   */
  collect(before: string): Promise<number>
}

/** The rows of a conversation in a range: empty if `last` is less than `first`. */
export interface RowSpan {
  /** `seq` of the first row. */
  first: number
  /** `seq` of the last row, inclusive. */
  last: number
  /** Whether the range has more rows than its limit. */
  more: boolean
}

/** Computes the rows of a range in a conversation of `count` events, which are numbered from 1 without gaps. */
export function resolveRowRange({ after, before, limit, from }: RowRange, count: number): RowSpan {
  const first = after + 1
  const last = Math.min(before - 1, count)
  const more = last - after > limit
  if (!more) return { first, last, more }
  return from === 'first'
    ? { first, last: after + limit, more }
    : { first: last - limit + 1, last, more }
}
