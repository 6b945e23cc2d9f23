/** A row as the driver gives it: `bytea` as bytes, `int8` as text. */
export type PostgresRow = Readonly<Record<string, unknown>>

/** Runs one statement. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly PostgresRow[]>

/** A database, whatever driver reaches it. */
export interface PostgresClient {
  query: Query
  /** Runs statements on one connection, in one transaction; a rejection undoes all of them. */
  inTransaction<Value>(
    kind: 'write' | 'snapshot',
    work: (query: Query) => Promise<Value>,
  ): Promise<Value>
  close(): Promise<void>
}

/** How a transaction of a kind begins. A snapshot sees one moment. */
export const BEGIN = {
  write: 'BEGIN',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
} as const
