import { setImmediate } from 'node:timers/promises'
import { waitUntil } from '../../follow/wait-until.ts'
import { damagedEvent, StoreError } from '../../store-error.ts'
import { NO_HEAD } from '../event-row.ts'
import type { EventRows } from '../event-rows.ts'
import { spanOf } from '../row-span.ts'
import { prepareAppend } from './append-rows.ts'
import { keyOf, keysEnd } from './layout/event-key.ts'
import { findHead } from './find-head.ts'
import { inTransaction } from './file/in-transaction.ts'
import { openDatabase } from './file/open-database.ts'
import { purgeFile } from './file/purge-file.ts'
import { retryWhileBusy } from './file/retry-while-busy.ts'
import type { Durability } from './layout/sqlite-schema.ts'
import { sqliteFailure } from './file/sqlite-failure.ts'
import { toBytes, toEventRow, toHead, toSummary } from '../sql-row.ts'

/** No conversation has it. */
const NO_NUMBER = 0
/** How often a follower asks: a file tells nobody that it has changed. */
const ASKED_EVERY_MS = 200

/** Keeps rows in a SQLite file, which is made with its folder where there is none. */
export async function openSqliteRows(
  path: string,
  durability: Durability = 'full',
): Promise<EventRows> {
  const { file, canWrite, database, statements, blobs, search } = await openDatabase(
    path,
    durability,
  )

  const append = prepareAppend(database, { statements, blobs })

  async function guard<Value>(statement: () => Value, conversation?: string): Promise<Value> {
    try {
      return await retryWhileBusy(() => {
        if (!database.isOpen) throw new StoreError('closed', `The store ${file} is closed.`)
        return statement()
      })
    } catch (cause) {
      const place = conversation === undefined ? {} : { conversation }
      throw sqliteFailure(file, cause, { otherwise: 'failed', ...place })
    }
  }

  return {
    append: (conversation, expected, events) =>
      guard(
        () => inTransaction(database, 'IMMEDIATE', () => append(conversation, expected, events)),
        conversation,
      ),
    read: (conversation, range) =>
      guard(
        () =>
          inTransaction(database, 'DEFERRED', () => {
            const { number = NO_NUMBER, ...head } = findHead(statements, conversation)
            const { first, last } = spanOf(range, head.seq)
            const before = statements.chain.get(keyOf(number, first - 1))
            return {
              head,
              previous: first === 1 ? NO_HEAD.chain : before && toBytes(before['chain']),
              rows: statements.span.all(keyOf(number, first), keyOf(number, last)).map(toEventRow),
            }
          }),
        conversation,
      ),
    scan: (conversation, after, limit) =>
      guard(
        () =>
          inTransaction(database, 'DEFERRED', () => {
            const { number = NO_NUMBER, ...head } = findHead(statements, conversation)
            const rows = statements.scan.all(keyOf(number, after), keysEnd(number), limit)
            return { head, rows: rows.map(toEventRow) }
          }),
        conversation,
      ),
    list: ({ limit, below }) =>
      guard(() =>
        statements.list.all(below, limit).map((row) => {
          const id = String(row['id'])
          const head = toHead(id, row)
          if (!head.isIntact)
            throw damagedEvent(id, head.seq, 'what is kept beside its events has changed')
          return { ...toSummary(id, head), place: Number(row['touched']) }
        }),
      ),
    delete: (conversation) =>
      guard(
        () =>
          inTransaction(database, 'IMMEDIATE', () => {
            blobs.release(conversation)
            search.remove(conversation)
            const { number = NO_NUMBER } = findHead(statements, conversation)
            const keys = [keyOf(number, 0), keysEnd(number)] as const
            const removed = [
              statements.removeEvents.run(...keys, conversation),
              statements.remove.run(conversation, number),
              statements.removeNumber.run(conversation),
            ]
            return removed.some(({ changes }) => Number(changes) > 0)
          }),
        conversation,
      ),
    appended: async (conversation, after, signal) => {
      const isThere = async (): Promise<boolean> =>
        await guard(() => Number(statements.head.get(conversation)?.['seq'] ?? 0) > after)
      await waitUntil(isThere, { everyMs: ASKED_EVERY_MS, signal })
    },
    rewrite: (conversation, { seq, bytes, original, scrubbed, chain, blobs: names = [] }) =>
      guard(
        () =>
          inTransaction(database, 'IMMEDIATE', () => {
            const { number = NO_NUMBER } = findHead(statements, conversation)
            const now = [scrubbed?.at ?? null, scrubbed?.sha256 ?? null] as const
            const { changes } = statements.rewrite.run(
              bytes,
              original ?? null,
              ...now,
              keyOf(number, seq),
              conversation,
              chain,
            )
            if (Number(changes) === 0) return
            blobs.release(conversation, seq)
            blobs.use(conversation, seq, names)
          }),
        conversation,
      ),
    purge: async () => {
      await guard(() => inTransaction(database, 'IMMEDIATE', () => search.forget()))
      await guard(() => purgeFile(database))
    },
    search: async (query) => {
      // Between the slices others have their turn: there may be a long history that nobody has searched yet.
      if (canWrite) while (await guard(() => search.indexMore(blobs))) await setImmediate()
      return await guard(() => search.find(query))
    },
    blobs: {
      put: (kept, at) => guard(() => blobs.put(kept, at)),
      get: (hashes) => guard(() => blobs.get(hashes)),
      drop: (hashes, at) =>
        guard(() => inTransaction(database, 'IMMEDIATE', () => blobs.drop(hashes, at))),
      collect: (before) => guard(() => blobs.collect(before)),
    },
    close: async () => {
      try {
        if (database.isOpen) database.close()
      } catch (cause) {
        throw sqliteFailure(file, cause, { otherwise: 'failed' })
      }
    },
  }
}
