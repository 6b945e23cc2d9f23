import { describeMissingPeer } from '@toolblocks/protocol'
import { StoreError } from '../../problems/store-error.ts'
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
const BEGIN = {
  write: 'BEGIN',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
} as const

/** Most connections of one store; what needs more waits. */
const CONNECTIONS = 10

/** Reaches a database through `pg`, which is an optional peer. Connects when the first statement runs. */
export async function connectWithPg(url: string): Promise<PostgresClient> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw describeMissingPeer(cause, {
      entry: '@toolblocks/conversation-store with a store at postgres://…',
      peer: 'pg',
    })
  })
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  // A connection that breaks while nobody uses it is replaced; the next statement would tell of a server that is gone.
  pool.on('error', ignore)
  return {
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    async inTransaction(kind, work) {
      const connection = await pool.connect()
      connection.on('error', ignore)
      const query: Query = async (text, values = []) =>
        (await connection.query(text, [...values])).rows
      let isBroken = false
      try {
        await query(BEGIN[kind])
        const value = await work(query)
        await query('COMMIT')
        return value
      } catch (error) {
        await query('ROLLBACK').catch(() => {
          isBroken = true
        })
        throw error
      } finally {
        connection.off('error', ignore)
        connection.release(isBroken)
      }
    },
    async listen(channel, { told, lost }) {
      const connection = new pg.Client({ connectionString: url })
      connection.on('notification', ({ payload = '' }) => told(payload))
      connection.on('error', lost)
      connection.on('end', lost)
      await connection.connect()
      await connection.query(`LISTEN ${channel}`)
      return { leave: () => void connection.end().catch(ignore) }
    },
    close: () => pool.end(),
  }
}

/** The statement that runs tells of it too. */
const ignore = (): void => {}

/** A client whose every failure is a `StoreError`, and that says so when it is closed; closing twice is fine. */
export function guardClient(client: PostgresClient, place: string): PostgresClient {
  let closing: Promise<void> | undefined
  const open = new Set<Promise<unknown>>()
  async function guard<Value>(work: () => Promise<Value>): Promise<Value> {
    if (closing) throw new StoreError('closed', `The store ${place} is closed.`)
    const running = work()
    open.add(running)
    try {
      return await running
    } catch (cause) {
      throw toStoreError(cause, place)
    } finally {
      open.delete(running)
    }
  }
  return {
    query: (text, values) => guard(() => client.query(text, values)),
    inTransaction: (kind, work) =>
      guard(async () => {
        const run = () => client.inTransaction(kind, work)
        // Reading again does no harm; an append may have been done before its answer was lost.
        return kind === 'snapshot' ? await run().catch(retryIfLost(run)) : await run()
      }),
    listen: (channel, hears) => guard(() => client.listen(channel, hears)),
    // A pool that is ended forgets who waits for a connection.
    close: () => (closing ??= Promise.allSettled(open).then(() => client.close())),
  }
}

/** A server that was started anew has closed the connections that wait in the pool. */
function retryIfLost<Value>(run: () => Promise<Value>): (cause: unknown) => Promise<Value> {
  return async (cause) => {
    if (!isUnreachable(cause)) throw cause
    return await run()
  }
}

function toStoreError(cause: unknown, place: string): StoreError {
  if (cause instanceof StoreError) return cause
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  return isUnreachable(cause)
    ? new StoreError(
        'cannot-open',
        `The store ${place} cannot be reached: ${reason || 'no answer'}.`,
        { cause },
      )
    : new StoreError('failed', `The store ${place} failed: ${reason}.`, { cause })
}

/** A code of the operating system, or of the classes "connection exception" and "invalid authorization". */
function isUnreachable(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if (cause.message.startsWith('Connection terminated')) return true
  const code: unknown = Reflect.get(cause, 'code')
  return typeof code === 'string' && /^(?:E[A-Z]{3,}|08...|28...|3D...|57P..)$/.test(code)
}
