import type { EventBytes, EventRow, Head } from './event-row.ts'

/** One conversation in a list. */
export interface ConversationSummary {
  id: string
  /** How many events it has. */
  events: number
  /** When the first and the last event were appended: ISO 8601, UTC. */
  createdAt: string
  updatedAt: string
}

/** Which rows to read, in ascending order. */
export interface RowRange {
  /** Rows with a greater `seq`. */
  after: number
  /** Rows with a smaller `seq`. */
  before: number
  limit: number
  /** From which end the limit counts. */
  from: 'first' | 'last'
}

/** Keeps rows; every kind of store is one of these. All of one `append` is kept, or nothing. */
export interface EventRows {
  /** Chains and keeps events if the conversation's last `seq` is `expected`; answers with the last `seq` there is. */
  append(
    conversation: string,
    expected: number,
    events: readonly EventBytes[],
  ): Promise<{ ok: boolean; seq: number }>
  /** The last row there should be; `NO_HEAD` for a conversation nobody wrote to. */
  head(conversation: string): Promise<Head>
  read(conversation: string, range: RowRange): Promise<readonly EventRow[]>
  /** Most recently updated first. */
  list(page: { limit: number; offset: number }): Promise<readonly ConversationSummary[]>
  /** Answers whether there was such a conversation. */
  delete(conversation: string): Promise<boolean>
  close(): Promise<void>
}
