import type { BlobRef } from '@toolblocks/protocol'
import type { ScrubResult, ScrubRequest } from '../scrub/scrub-store.ts'
import type { ConversationEvent, DatedEvent, StoredEvent } from '../events/conversation-event.ts'
import type { ConversationSummary } from '../rows/event-rows.ts'
import type { StoreProblem } from '../problems/store-error.ts'
import type { Documents } from './documents.ts'

/**
 * The result of an append. A conflict (`ok: false`) means that another writer wrote first and nothing was kept. `seq` is the number of the
 * conversation's last event now; 0 if it has no events.
 */
export type AppendResult = { ok: true; seq: number } | { ok: false; seq: number }

/** Which events to read. */
export interface EventPageRequest {
  /** Events with a greater `seq`. Default: 0, all events. */
  after?: number
  /** Events with a smaller `seq`. Without `after`, returns the last page before it; `Infinity`: the last page of all. */
  before?: number
  /** Maximum number of events. Default: 50; `Infinity`: no limit. */
  limit?: number
}

/** An event whose bytes are as they were written but that this version cannot read. */
export interface DamagedEvent {
  /** Its place in the conversation, counted from 1. */
  seq: number
  /** The unchanged bytes of the event. */
  bytes: Uint8Array
  /** Why the bytes are not an event; `path` is `/seq`. */
  problem: StoreProblem
}

/** Events in the order of their `seq`, without gaps. Events that cannot be read are listed separately and never omitted silently. */
export interface EventPage {
  events: readonly StoredEvent[]
  /** Events that cannot be read, in the same order. Their numbers are missing in `events`. */
  damaged: readonly DamagedEvent[]
  /** Whether there are more events after the page, in the direction of reading. */
  more: boolean
}

/** Which conversations to list. */
export interface ConversationListRequest {
  /** Maximum number of conversations. Default: 50; `Infinity`: all. */
  limit?: number
  /** The `next` of the previous list. */
  cursor?: string
}

/** A page of conversations, and the cursor of the next page. */
export interface ConversationList {
  conversations: readonly ConversationSummary[]
  /** The cursor of the next page, an opaque string. Absent on the last page. */
  next?: string
}

/** What to search for. */
export interface SearchRequest {
  /** Words that the event must all contain, in any order and case. */
  text: string
  /** Searches only this conversation. */
  conversation?: string
  /** Searches only these conversations. */
  conversations?: readonly string[]
  /** Maximum number of hits. Default: 20. */
  limit?: number
}

/** An event that contains the words. */
export interface SearchHit {
  /** Id of the conversation that contains the event. */
  conversation: string
  /** Its place in the conversation, counted from 1. */
  seq: number
  /** When it happened: ISO 8601, UTC. */
  at: string
  /** The type of the event. */
  type: string
  /** The words with the text around them, on one line. It comes from outside: pass it through an encoder before you show it. */
  excerpt: string
}

/** Where to start following a conversation, and when to stop. */
export interface FollowRequest {
  /** Events with a greater `seq`. Default: 0, all events. */
  after?: number
  /** Ends the following. Without it, leaving the loop ends it. */
  signal?: AbortSignal
}

/**
 * Keeps the events of conversations, and documents. Every member rejects with a `StoreError`: `closed`, `busy`, `read-only`, `failed`, `invalid-id` for an id with
 * half a surrogate pair, `invalid-cursor` for a cursor that no list returned, and `damaged` for data that is not as it was written.
 */
export interface ConversationStore {
  /**
   * Appends all of the events, or none. `expectedSeq` is the `seq` of the last event that the caller knows (0: none). An event gets the time of the
   * store's clock, unless it has its own.
   */
  append(
    conversation: string,
    expectedSeq: number,
    events: readonly (ConversationEvent | DatedEvent)[],
  ): Promise<AppendResult>
  /**
   * Reads one page; empty for a conversation without events. Every event is verified: its conversation, its place, its time, its bytes, and that
   * none is missing before the last written one.
   *
   * @throws StoreError with code `damaged`, the conversation and the `seq` of the first event that cannot be verified. The events around it can be
   * read with `after` and `before`.
   */
  read(conversation: string, request?: EventPageRequest): Promise<EventPage>
  /**
   * Lists conversations, the most recently written first. A conversation that is written between two pages moves to the front; no other one is
   * missed.
   */
  list(request?: ConversationListRequest): Promise<ConversationList>
  /**
   * Finds events by words of what was said, called and answered, the most recently written first. Searches the first 200,000 characters of each
   * event.
   */
  search(request: SearchRequest): Promise<readonly SearchHit[]>
  /** Removes a conversation: all its events, and the documents that belong to it. Resolves to false if it had no events. */
  delete(conversation: string): Promise<boolean>
  /**
   * Reads every byte of a conversation. Returns a problem for each event that is changed, missing or in the wrong place (`path` is `/SEQ`), and for
   * each of its documents that is changed (`/documents/COLLECTION/ID`).
   */
  verify(conversation: string): Promise<readonly StoreProblem[]>
  /**
   * Keeps bytes once, under their hash; a `KeepBytes` for calls. Bytes stay while an event refers to them (`metadata.raw` of a result), and for an
   * hour after they were kept. Of a stream, one mebibyte is held in memory. A stream that takes longer than an hour is lost if bytes are collected
   * meanwhile.
   */
  keepBytes(bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<BlobRef>
  /** Returns the bytes with a SHA-256; `undefined` if they do not exist or are damaged. */
  readBytes(sha256: string): Promise<Uint8Array | undefined>
  /**
   * Removes bytes to which no event refers, except those that `keepBytes` kept within `olderThanMs` (default: an hour): an event of a call may
   * follow. Resolves to their number. Others may write at the same time.
   */
  collectBytes(options?: { olderThanMs?: number }): Promise<number>
  /**
   * Follows a conversation: yields the existing events, then those that any host appends, each once and in their order, until the signal aborts or
   * the loop is left. If the conversation is deleted and begun again, the new events are yielded from `seq` 1. SQLite is queried five times a second; PostgreSQL sends notifications.
   */
  follow(conversation: string, request?: FollowRequest): AsyncIterable<StoredEvent | DamagedEvent>
  /**
   * Scrubs a value from events, bytes, originals, documents and the word index. The value is found as it stands, with escapes of JSON or of an
   * address, in hexadecimal and in base64, each also once in JSON inside a text. A changed event has
   * the time of the scrub, and `verify` still verifies the chain. A changed document has a new version, so a writer that knows the old one cannot
   * restore the value. Compressed and encrypted bytes are not searched.
   *
   * @throws StoreError `unscrubbable` for a value that is too short or part of how events are written.
   */
  scrub(request: ScrubRequest): Promise<ScrubResult>
  /** Small JSON values beside the events, which can change. */
  readonly documents: Documents
  /** Closes the store. Closing it twice is allowed. */
  close(): Promise<void>
}
