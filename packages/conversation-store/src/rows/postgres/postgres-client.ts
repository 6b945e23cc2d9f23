import type Pg from 'pg'
import { describeMissingPeer } from '@toolblocks/protocol/internal'
import { StoreError } from '../../problems/store-error.ts'
import type { SqlRow } from '../sql-row.ts'

/** Runs one statement. `bytea` is returned as bytes, `int8` as text. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly SqlRow[]>

/** Access to a database, with any driver. */
export interface PostgresClient {
  query: Query
  /** Runs statements on one connection, in one transaction. A rejection undoes all of them. */
  inTransaction<Value>(
    kind: 'write' | 'snapshot',
    work: (query: Query) => Promise<Value>,
  ): Promise<Value>
  /** Calls back with each message on a channel, on a separate connection, until `leave` is called. Calls `lost` if that connection breaks. */
  listen(
    channel: string,
    listener: { notified: (payload: string) => void; lost: () => void },
  ): Promise<{ leave(): void }>
  close(): Promise<void>
}

/** The statement that begins each kind of transaction. A snapshot reads the state of one moment. */
const BEGIN = {
  write: 'BEGIN',
  snapshot: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
} as const

/** Maximum number of connections of one store. Further work waits. */
const CONNECTIONS = 10

async function loadPg(): Promise<typeof Pg> {
  // Inside "try", bundlers accept that the package is missing.
  try {
    return (await import('pg')).default
  } catch (cause) {
    throw describeMissingPeer(cause, {
      entry: '@toolblocks/conversation-store with a store at postgres://…',
      peer: 'pg',
    })
  }
}

/** Connects to a database through `pg`, which is an optional peer. Connects when the first statement runs. */
export async function connectWithPg(url: string): Promise<PostgresClient> {
  const pg = await loadPg()
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  // An idle connection that breaks is replaced. If the server is gone, the next statement reports it.
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
    async listen(channel, { notified, lost }) {
      const connection = new pg.Client({ connectionString: url })
      connection.on('notification', ({ payload = '' }) => notified(payload))
      connection.on('error', lost)
      connection.on('end', lost)
      await connection.connect()
      await connection.query(`LISTEN ${channel}`)
      return { leave: () => void connection.end().catch(ignore) }
    },
    close: () => pool.end(),
  }
}

/** The statement that runs reports the error too. */
const ignore = (): void => {}

/** Returns a client whose failures are `StoreError`s. After closing, every call fails with `closed`; closing twice is allowed. */
export function guardClient(client: PostgresClient, name: string): PostgresClient {
  let closing: Promise<void> | undefined
  const open = new Set<Promise<unknown>>()
  async function guard<Value>(work: () => Promise<Value>): Promise<Value> {
    if (closing) throw new StoreError('closed', `The store ${name} is closed.`)
    const running = work()
    open.add(running)
    try {
      return await running
    } catch (cause) {
      throw toStoreError(cause, name)
    } finally {
      open.delete(running)
    }
  }
  return {
    query: (text, values) => guard(() => client.query(text, values)),
    inTransaction: (kind, work) =>
      guard(async () => {
        const run = () => client.inTransaction(kind, work)
        // A read can be repeated safely. An append may have been done although its answer was lost.
        return kind === 'snapshot' ? await run().catch(retryIfLost(run)) : await run()
      }),
    listen: (channel, listener) => guard(() => client.listen(channel, listener)),
    // A closed pool never answers those who wait for a connection, so running work ends first.
    close: () => (closing ??= Promise.allSettled(open).then(() => client.close())),
  }
}

/** Repeats once: a restarted server has closed the idle connections of the pool. */
function retryIfLost<Value>(run: () => Promise<Value>): (cause: unknown) => Promise<Value> {
  return async (cause) => {
    if (!isUnreachable(cause)) throw cause
    return await run()
  }
}

function toStoreError(cause: unknown, name: string): StoreError {
  if (cause instanceof StoreError) return cause
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  return isUnreachable(cause)
    ? new StoreError(
        'cannot-open',
        `The store ${name} cannot be reached: ${reason || 'no answer'}.`,
        { cause },
      )
    : new StoreError('failed', `The store ${name} failed: ${reason}.`, { cause })
}

/** Whether a code is of the operating system, or of the classes "connection exception" and "invalid authorization". */
function isUnreachable(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if (cause.message.startsWith('Connection terminated')) return true
  const code: unknown = Reflect.get(cause, 'code')
  return typeof code === 'string' && /^(?:E[A-Z]{3,}|08...|28...|3D...|57P..)$/.test(code)
}
