import type { SqlRow } from '../sql-row.ts'

/** Runs one statement; `bytea` comes as bytes, `int8` as text. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly SqlRow[]>

/** A database, whatever driver reaches it. */
export interface PostgresClient {
  query: Query
  /** Runs statements on one connection, in one transaction; a rejection undoes all of them. */
  inTransaction<Value>(
    kind: 'write' | 'snapshot',
    work: (query: Query) => Promise<Value>,
  ): Promise<Value>
  /** Calls back with what is told on a channel, on a connection of its own, until it is left; `lost` where that connection breaks. */
  listen(
    channel: string,
    hears: { told: (payload: string) => void; lost: () => void },
  ): Promise<{ leave(): void }>
  close(): Promise<void>
}

/** How a transaction of a kind begins. A snapshot sees one moment. */
export const BEGIN = {
  write: 'BEGIN',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
} as const
