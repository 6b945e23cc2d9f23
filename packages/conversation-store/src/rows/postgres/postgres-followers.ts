import { createChangeEmitter, waitUntil } from '../change-emitter.ts'
import { hash } from '../event-row.ts'
import type { PostgresClient, Query } from './postgres-client.ts'

/** Waits for changes of any host: appends to a conversation, and writes of a document. */
export interface PostgresFollowers {
  /** Settles when `hasChanged` returns true, or when the signal aborts. `hasChanged` is called again when followers of `name` are notified. */
  wait(name: string, signal: AbortSignal, hasChanged: () => Promise<boolean>): Promise<void>
  close(): void
}

const CHANNEL = 'toolblocks_appended'

/** Interval at which followers query the database after a notification connection broke, in milliseconds. */
const POLL_INTERVAL_MS = 1000

/** Notifies the followers of names. PostgreSQL sends the notifications when the transaction commits. */
export async function notifyFollowers(query: Query, names: readonly string[]): Promise<void> {
  await query('SELECT pg_notify($1, name) FROM unnest($2::text[]) AS name', [
    CHANNEL,
    names.map(hashName),
  ])
}

/** Runs a statement that returns the changed rows, and in the same step notifies the followers of a name. Returns whether a row was changed. */
export async function changeAndNotify(
  query: Query,
  name: string,
  [statement, values]: readonly [string, readonly unknown[]],
): Promise<boolean> {
  const count = values.length
  const changed = await query(
    `WITH changed AS (${statement}) SELECT pg_notify($${count + 1}, $${count + 2}) FROM changed`,
    [...values, CHANNEL, hashName(name)],
  )
  return changed.length > 0
}

/** All followers of this host share one connection, which the first one opens. */
export function createFollowers(client: PostgresClient): PostgresFollowers {
  const emitter = createChangeEmitter()
  let listening: Promise<{ leave(): void }> | undefined
  let isClosed = false

  async function listen(): Promise<void> {
    listening ??= client.listen(CHANNEL, {
      notified: emitter.emit,
      lost: () => {
        listening = undefined
        emitter.emitAll()
      },
    })
    await listening.catch(() => {
      listening = undefined
    })
  }

  return {
    wait: async (name, signal, hasChanged) => {
      await listen()
      // The wait starts before the query, so a notification between the query and its answer is not missed.
      const settled = new AbortController()
      const notified = emitter.next(hashName(name), AbortSignal.any([signal, settled.signal]))
      try {
        if (listening && !(await hasChanged()) && !isClosed) await notified
      } finally {
        settled.abort()
      }
      await waitUntil(hasChanged, { everyMs: POLL_INTERVAL_MS, signal })
    },
    close: () => {
      isClosed = true
      emitter.emitAll()
      void listening?.then(({ leave }) => leave())
    },
  }
}

/** Returns a hash: notifications must be short, and other users of the database must not read the name of a conversation. */
function hashName(name: string): string {
  return Buffer.from(hash(name)).toString('hex')
}
