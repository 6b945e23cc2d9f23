import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { StoreError, damagedEvent } from '../../problems/store-error.ts'
import { createChangeEmitter, waitUntil } from '../change-emitter.ts'
import { EMPTY_CHAIN_HEAD, hasMovedOn } from '../event-row.ts'
import { getListPlace } from '../list-place.ts'
import { type EventRows, resolveRowRange } from '../event-rows.ts'
import { toBytes, toEventRow, toHead, toSummary } from '../sql-row.ts'
import { type OpenFileOptions, openDatabase } from './open-database.ts'
import { findHead, prepareAppend } from './sqlite-append.ts'
import { prepareBlobs } from './sqlite-blobs.ts'
import { prepareDocuments } from './sqlite-documents.ts'
import { LAYOUT, getKey, keysEnd } from './sqlite-schema.ts'
import { prepareSearch } from './sqlite-search.ts'
import { readText, selectText, toBlob } from './sqlite-values.ts'
import { inTransaction, retryWhileBusy, sqliteFailure } from './transaction.ts'

/** A number that no conversation has. */
const NO_NUMBER = 0

/** Interval at which followers query the file, in milliseconds. A file does not notify them of the changes of other processes. */
const POLL_INTERVAL_MS = 200

/** Keeps rows in a SQLite file, or in the memory of this process (`MEMORY`). Creates the file and its folder if they do not exist. */
export async function openSqliteRows(
  path: string,
  {
    durability = 'full',
    createFolders = false,
    layout = LAYOUT,
    onWait = () => {},
  }: OpenFileOptions = {},
): Promise<EventRows> {
  const options = { durability, createFolders, layout, onWait }
  const { file, canWrite, database, prepared } = await openDatabase(path, options, prepare)
  const { statements, blobs, documents, search, append } = prepared
  const waiting = { file, onWait }
  /** Wakes the followers in this process at once. */
  const emitter = createChangeEmitter()

  const poll = async (
    name: string,
    isSo: () => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<void> =>
    await waitUntil(isSo, {
      everyMs: POLL_INTERVAL_MS,
      signal,
      next: (either) => emitter.next(name, either),
    })

  async function guard<Value>(statement: () => Value, conversation?: string): Promise<Value> {
    try {
      return await retryWhileBusy(() => {
        if (!database.isOpen) throw new StoreError('closed', `The store ${file} is closed.`)
        return statement()
      }, waiting)
    } catch (cause) {
      const location = conversation === undefined ? {} : { conversation }
      throw sqliteFailure(file, cause, { otherwise: 'failed', ...location })
    }
  }

  return {
    append: async (conversation, expected, events, kept) => {
      const appended = await guard(
        () =>
          inTransaction(database, 'IMMEDIATE', () => {
            const listPlace = getListPlace(events, kept.at)
            const written = append(conversation, { expected, events, listPlace })
            if (written.ok) blobs.putUsed(kept)
            return written
          }),
        conversation,
      )
      if (appended.ok) emitter.emit(conversation)
      return appended
    },
    read: (conversation, range) =>
      guard(
        () =>
          inTransaction(database, 'DEFERRED', () => {
            const { number = NO_NUMBER, ...head } = findHead(statements, conversation)
            const { first, last } = resolveRowRange(range, head.seq)
            const before = statements.chain.get(getKey(number, first - 1))
            return {
              head,
              previous: first === 1 ? EMPTY_CHAIN_HEAD.chain : before && toBytes(before['chain']),
              rows: statements.span
                .all(getKey(number, first), getKey(number, last))
                .map(toEventRow),
            }
          }),
        conversation,
      ),
    scan: (conversation, after, limit) =>
      guard(
        () =>
          inTransaction(database, 'DEFERRED', () => {
            const { number = NO_NUMBER, ...head } = findHead(statements, conversation)
            const rows = statements.scan.all(getKey(number, after), keysEnd(number), limit)
            return { head, rows: rows.map(toEventRow) }
          }),
        conversation,
      ),
    list: ({ limit, below }) =>
      guard(() =>
        statements.list.all(below, limit).map((row) => {
          const id = readText(row['id'])
          const head = toHead(id, row)
          if (!head.isIntact)
            throw damagedEvent(id, head.seq, 'the data beside its events has changed')
          return { ...toSummary(id, head), position: Number(row['touched']) }
        }),
      ),
    delete: async (conversation) => {
      const isDeleted = await guard(
        () =>
          inTransaction(database, 'IMMEDIATE', () => {
            blobs.release(conversation)
            search.remove(conversation)
            documents.remove(conversation)
            const { number = NO_NUMBER } = findHead(statements, conversation)
            const keys = [getKey(number, 0), keysEnd(number)] as const
            const removed = [
              statements.removeEvents.run(...keys, conversation),
              statements.remove.run(conversation, number),
              statements.removeNumber.run(conversation),
            ]
            return removed.some(({ changes }) => Number(changes) > 0)
          }),
        conversation,
      )
      // With its documents, which have names of their own.
      emitter.emitAll()
      return isDeleted
    },
    appended: async (conversation, last, signal) => {
      const isChanged = async (): Promise<boolean> =>
        await guard(() => hasMovedOn(findHead(statements, conversation), last))
      await poll(conversation, isChanged, signal)
    },
    rewrite: (
      conversation,
      { was, row: { seq, bytes, original, scrubbed, chain, blobs: names = [] }, kept },
    ) =>
      guard(
        () =>
          inTransaction(database, 'IMMEDIATE', () => {
            const { number = NO_NUMBER } = findHead(statements, conversation)
            const now = [scrubbed?.at ?? null, scrubbed?.sha256 ?? null] as const
            const { changes } = statements.rewrite.run(
              toBlob(bytes),
              original ? toBlob(original) : null,
              ...now,
              getKey(number, seq),
              conversation,
              chain,
              toBlob(was.bytes),
              was.original ? toBlob(was.original) : null,
            )
            if (Number(changes) === 0) return false
            blobs.putUsed(kept)
            blobs.release(conversation, seq)
            blobs.use(conversation, seq, names)
            return true
          }),
        conversation,
      ),
    purge: async () => {
      await guard(() => inTransaction(database, 'IMMEDIATE', () => search.forget()))
      await guard(() => purgeFile(database))
    },
    search: async (query) => {
      // Yields between the slices, because a search may have to index a long history first.
      if (canWrite) while (await guard(() => search.indexMore(blobs))) await setImmediate()
      return await guard(() => search.find(query))
    },
    documents: documents.createRows({ guard, poll, emit: emitter.emit }),
    blobs: {
      put: (added, time) =>
        guard(() => inTransaction(database, 'IMMEDIATE', () => blobs.put(added, time))),
      get: (hashes) => guard(() => blobs.get(hashes)),
      unused: (page) => guard(() => blobs.unused(page)),
      drop: (hashes, during) =>
        guard(() => inTransaction(database, 'IMMEDIATE', () => blobs.drop(hashes, during))),
      collect: (before) => guard(() => blobs.collect(before)),
    },
    close: async () => {
      try {
        if (database.isOpen) database.close()
        emitter.emitAll()
      } catch (cause) {
        throw sqliteFailure(file, cause, { otherwise: 'failed' })
      }
    },
  }
}

/** Prepares all statements of a connection. */
function prepare(database: DatabaseSync) {
  const statements = prepareStatements(database)
  const blobs = prepareBlobs(database)
  const append = prepareAppend(database, statements, blobs)
  const documents = prepareDocuments(database)
  return { statements, blobs, documents, search: prepareSearch(database), append }
}

function prepareStatements(database: DatabaseSync) {
  const columns = 'seq, at, bytes, original, chain, scrubbed_at, scrubbed_sha256'
  const head = `number, ${selectText('id')}, seq, chain, created_at, updated_at, touched, seal`
  return {
    head: database.prepare(`SELECT ${head} FROM conversations WHERE id = ?`),
    // The number of the conversation, which its head contains too.
    number: database.prepare('SELECT number FROM conversation_numbers WHERE conversation = ?'),
    chain: database.prepare('SELECT chain FROM events WHERE key = ?'),
    span: database.prepare(
      `SELECT ${columns} FROM events WHERE key >= ? AND key <= ? ORDER BY key`,
    ),
    scan: database.prepare(
      `SELECT ${columns} FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?`,
    ),
    list: database.prepare(
      `SELECT ${head} FROM conversations WHERE touched < ? ORDER BY touched DESC LIMIT ?`,
    ),
    // Also deletes the head if its id is lost: then the number identifies it, unless another conversation has that number.
    remove: database.prepare(`
      DELETE FROM conversations WHERE id = ?1 OR number = ?2 AND NOT EXISTS (
        SELECT 1 FROM conversation_numbers AS other
        WHERE other.conversation = conversations.id AND other.number = conversations.number)`),
    removeNumber: database.prepare('DELETE FROM conversation_numbers WHERE conversation = ?'),
    removeEvents: database.prepare(
      'DELETE FROM events WHERE key > ? AND key < ? AND conversation = ?',
    ),
    rewrite: database.prepare(`
      UPDATE events SET bytes = ?, original = ?, scrubbed_at = ?, scrubbed_sha256 = ?
      WHERE key = ? AND conversation = ? AND chain = ? AND bytes = ? AND original IS ?`),
  }
}

/**
 * Rewrites the file without its free pages and their old content, and empties the log. Throws `busy` if another process is reading and so holds the
 * log; then the call must be repeated.
 */
function purgeFile(database: DatabaseSync): void {
  database.exec('VACUUM')
  const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  if (row?.['busy'] === 0) return
  const message =
    'Another process is reading the store, so its log still contains the removed data; repeat this when that process has ended.'
  throw new StoreError('busy', message)
}
