import type { BlobRef } from '@toolblocks/protocol'
import type { ScrubResult, ScrubRequest } from '../scrub/scrub-store.ts'
import type { ConversationEvent, DatedEvent, StoredEvent } from '../events/conversation-event.ts'
import type { ConversationSummary } from '../rows/event-rows.ts'
import type { StoreProblem } from '../problems/store-error.ts'

/**
 * What came of an append: a conflict means that someone else wrote first, and nothing was kept. `seq` is that of the conversation's last event
 * now; 0 where it has none.
 */
export type Appended = { ok: true; seq: number } | { ok: false; seq: number }

/** Which events to read. */
export interface EventPageRequest {
  /** Events with a greater `seq`; default 0, so from the first. */
  after?: number
  /** Events with a smaller `seq`. Alone it gives the last page before it; `Infinity`: the last page of all. */
  before?: number
  /** Default 50; `Infinity`: no limit. */
  limit?: number
}

/** An event whose bytes are as they were written, but are no event that this version can read. */
export interface DamagedEvent {
  /** Its place in the conversation, counted from 1. */
  seq: number
  /** As they are in the store, whole. */
  bytes: Uint8Array
  /** Why they are no event; `path` is `/seq`. */
  problem: StoreProblem
}

/** Events in the order of their `seq`, without a gap; what cannot be read as an event is apart, never silently gone. */
export interface EventPage {
  events: readonly StoredEvent[]
  /** In the same order; their numbers are missing in `events`. */
  damaged: readonly DamagedEvent[]
  /** Whether there are more events beyond the page, in the direction it was read. */
  more: boolean
}

/** Which conversations to list. */
export interface ConversationListRequest {
  /** Default 50; `Infinity`: all. */
  limit?: number
  /** The `next` of the list before. */
  cursor?: string
}

/** Conversations, and where the list goes on. */
export interface ConversationList {
  conversations: readonly ConversationSummary[]
  /** Absent where there are no more. Opaque. */
  next?: string
}

/** What to look for. */
export interface SearchRequest {
  /** Words that must all be there, in any order and case. */
  text: string
  /** Only in this conversation. */
  conversation?: string
  /** Default: 20. */
  limit?: number
}

/** An event with the words that were looked for. */
export interface SearchHit {
  /** Id of the conversation that has it. */
  conversation: string
  /** Its place in the conversation, counted from 1. */
  seq: number
  /** When it happened: ISO 8601, UTC. */
  at: string
  /** What kind of event it is. */
  type: string
  /** The words in their surroundings, on one line. From outside: pass it through an encoder before it is shown. */
  excerpt: string
}

/** Where to follow a conversation from, and for how long. */
export interface FollowRequest {
  /** Events with a greater `seq`; default 0, so from the first. */
  after?: number
  /** Ends the following; without it, leaving the loop does. */
  signal?: AbortSignal
}

/**
 * Keeps the events of conversations. Every member rejects with a `StoreError`: `closed`, `busy`, `read-only`, `failed`,
 * `invalid-id` for an id with half a surrogate pair, `invalid-cursor` for a cursor that no list gave, and `damaged` for what is not as it was written.
 */
export interface ConversationStore {
  /**
   * Keeps all of the events, or none: after `expectedSeq`, the `seq` of the last event the caller knows (0: none). An event
   * carries the time of the store's clock, unless it comes with its own.
   */
  append(
    conversation: string,
    expectedSeq: number,
    events: readonly (ConversationEvent | DatedEvent)[],
  ): Promise<Appended>
  /**
   * Reads one page; of a conversation nobody wrote to, an empty one. Every event of it is proven: its conversation, its
   * place, its time, its bytes, and that none is missing before the last one that was written.
   *
   * @throws StoreError with code `damaged`, the conversation and the `seq` of the first event that cannot be proven.
   * The events around it can be read with `after` and `before`.
   */
  read(conversation: string, request?: EventPageRequest): Promise<EventPage>
  /** Conversations, the most recently written first. One that is written to meanwhile moves to the front; no other is missed. */
  list(request?: ConversationListRequest): Promise<ConversationList>
  /**
   * Finds events by words of what was said, called and answered, those that were written last first. Of each event the first
   * 200,000 characters are looked at.
   */
  search(request: SearchRequest): Promise<readonly SearchHit[]>
  /** Removes a conversation and all its events; false when there was none. */
  delete(conversation: string): Promise<boolean>
  /** Reads every byte of a conversation and names each event that is changed, missing or out of place. */
  verify(conversation: string): Promise<readonly StoreProblem[]>
  /**
   * Keeps bytes once, by their hash; a `KeepBytes` for calls. They stay while an event names them (`metadata.raw` of a
   * result), and for an hour without one. Of a stream a mebibyte is held in memory;
   * one that takes longer than an hour is lost where bytes are collected meanwhile.
   */
  keepBytes(bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<BlobRef>
  /** The bytes with a SHA-256; `undefined` where they are not there, or are not as they were kept. */
  readBytes(sha256: string): Promise<Uint8Array | undefined>
  /**
   * Removes bytes that no event names and that were kept longer ago than `olderThanMs` (default: an hour), and answers how many
   * there were. Others may write meanwhile.
   */
  collectBytes(options?: { olderThanMs?: number }): Promise<number>
  /**
   * Follows a conversation: the events that are there, and then those that are appended by whatever host, each once and in their order, until the
   * signal aborts or the loop is left. SQLite is asked five times a second, PostgreSQL tells.
   */
  follow(conversation: string, request?: FollowRequest): AsyncIterable<StoredEvent | DamagedEvent>
  /**
   * Takes a value out of events, bytes, originals and the index of words, in whatever two forms it is written, one inside the other: escapes of JSON,
   * addresses and HTML, hexadecimal, base64, composed or decomposed characters, across colour codes and line breaks. What is changed says when, and
   * `verify` still proves the chain. Compressed and encrypted bytes are not looked into.
   *
   * @throws StoreError `unscrubbable` for a value that is too short or part of how events are written.
   */
  scrub(request: ScrubRequest): Promise<ScrubResult>
  /** Ends the use of the store; closing twice is fine. */
  close(): Promise<void>
}
