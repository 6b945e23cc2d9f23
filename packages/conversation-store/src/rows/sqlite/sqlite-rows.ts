import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { StoreError, damagedEvent } from '../../problems/store-error.ts'
import { waitUntil } from '../change-emitter.ts'
import {
  type AppendPlan,
  type EventBytes,
  type EventRow,
  type StoredHead,
  EMPTY_STORED_HEAD,
  EMPTY_CHAIN_HEAD,
  planAppend,
} from '../event-row.ts'
import { type ListPlace, PLACES, getListPlace } from '../list-place.ts'
import { type EventRows, resolveRowRange } from '../event-rows.ts'
import { toBytes, toEventRow, toHead, toSummary } from '../sql-row.ts'
import { type OpenFileOptions, openDatabase } from './open-database.ts'
import { prepareDocuments } from './sqlite-documents.ts'
import { readText, selectText, toBlob } from './sqlite-values.ts'
import { prepareBlobs, type SqliteBlobs } from './sqlite-blobs.ts'
import { NEXT_NUMBER, checkKeys, getKey, keysEnd } from './sqlite-schema.ts'
import { prepareSearch } from './sqlite-search.ts'
import { inTransaction, retryWhileBusy, sqliteFailure } from './transaction.ts'

/** A number that no conversation has. */
const NO_NUMBER = 0

/** Interval at which followers query the file, in milliseconds. A file does not notify them of changes. */
const POLL_INTERVAL_MS = 200

const poll = async (isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> =>
  await waitUntil(isSo, { everyMs: POLL_INTERVAL_MS, signal })

/** Keeps rows in a SQLite file. Creates the file and its folder if they do not exist. */
export async function openSqliteRows(
  path: string,
  { durability = 'full', createFolders = false, onWait = () => {} }: OpenFileOptions = {},
): Promise<EventRows> {
  const options = { durability, createFolders, onWait }
  const { file, canWrite, database, prepared } = await openDatabase(path, options, prepare)
  const { statements, blobs, documents, search, append } = prepared
  const waiting = { file, onWait }

  async function guard<Value>(statement: () => Value, conversation?: string): Promise<Value> {
    try {
      return await retryWhileBusy(() => {
        if (!database.isOpen) throw new StoreError('closed', `The store ${file} is closed.`)
        return statement()
      }, waiting)
    } catch (cause) {
      const place = conversation === undefined ? {} : { conversation }
      throw sqliteFailure(file, cause, { otherwise: 'failed', ...place })
    }
  }

  return {
    append: (conversation, expected, events, kept) =>
      guard(
        () =>
          inTransaction(database, 'IMMEDIATE', () => {
            const place = getListPlace(events, kept.at)
            const appended = append(conversation, { expected, events, place })
            if (appended.ok) blobs.put(kept)
            return appended
          }),
        conversation,
      ),
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
          return { ...toSummary(id, head), place: Number(row['touched']) }
        }),
      ),
    delete: (conversation) =>
      guard(
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
      ),
    appended: async (conversation, after, signal) => {
      const isThere = async (): Promise<boolean> =>
        await guard(() => Number(statements.head.get(conversation)?.['seq'] ?? 0) > after)
      await poll(isThere, signal)
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
            blobs.put(kept)
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
    documents: documents.createRows({ guard, poll }),
    blobs: {
      put: (added, at) =>
        guard(() => inTransaction(database, 'IMMEDIATE', () => blobs.put({ blobs: added, at }))),
      get: (hashes) => guard(() => blobs.get(hashes)),
      drop: (hashes, during) =>
        guard(() => inTransaction(database, 'IMMEDIATE', () => blobs.drop(hashes, during))),
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

/** Prepares all statements of a connection. */
function prepare(database: DatabaseSync) {
  const statements = prepareStatements(database)
  const blobs = prepareBlobs(database)
  const append = prepareAppend(database, statements, blobs)
  const documents = prepareDocuments(database)
  return { statements, blobs, documents, search: prepareSearch(database), append }
}

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements(database: DatabaseSync) {
  const columns = 'seq, at, bytes, original, sha256, chain, scrubbed_at, scrubbed_sha256'
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

type Write = Extract<AppendPlan, { kind: 'write' }>

/** A conversation, and the number at the start of its keys. */
interface KeyedConversation {
  id: string
  number: number
}

/** An append whose conversation has its new end already. */
type Moved = Write & Pick<KeyedConversation, 'number'>

/** What is appended, and where it places its conversation in the list. */
interface Append {
  expected: number
  events: readonly EventBytes[]
  place: ListPlace
}

/** Prepares the appends of one connection. Each runs in the caller's transaction. */
function prepareAppend(database: DatabaseSync, statements: Statements, blobs: SqliteBlobs) {
  const insert = prepareInsert(database)
  const advance = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE number = ? AND touched = (SELECT max(touched) FROM conversations) AND touched >= ?`)
  const goOn = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?
    WHERE number = ? AND touched = (SELECT max(touched) FROM conversations) AND touched >= ?
      AND id = ? AND seq = ? AND chain = ? AND created_at = ? AND updated_at = ? AND seal = ?`)
  const touch = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?,
      touched = (SELECT max(max(touched) + 1, ?) FROM conversations) WHERE number = ?`)
  const date = database.prepare(`
    UPDATE conversations SET seq = ?, chain = ?, updated_at = ?, seal = ?, touched = ? + number % ${PLACES}
    WHERE number = ?`)
  const begin = database.prepare(`
    INSERT INTO conversations (number, id, seq, chain, created_at, updated_at, seal, touched)
    VALUES (${NEXT_NUMBER}, ?, ?, ?, ?, ?, ?,
      (SELECT max(coalesce(max(touched), 0) + 1, ?) FROM conversations))
    RETURNING number`)
  const name = database.prepare(
    'INSERT INTO conversation_numbers (conversation, number) VALUES (?, ?)',
  )
  /** What this connection wrote last. Others may have written since, so only the file shows whether it is still current. */
  let latest: (Pick<Write, 'head' | 'seal'> & KeyedConversation) | undefined

  /** Moves the end of the conversation with one statement, which also checks that the append continues from what was written last. */
  function moveFromLatest(
    conversation: string,
    { expected, events, place }: Append,
  ): Moved | undefined {
    if (place.kind === 'dated') return undefined
    if (latest?.id !== conversation || latest.head.seq !== expected) return undefined
    const { head: from, seal, number } = latest
    const plan = planAppend(conversation, { ...from, isIntact: true }, { expected, events })
    if (plan.kind !== 'write') return undefined
    const next = [plan.seq, plan.head.chain, plan.head.updatedAt, plan.seal] as const
    const was = [from.seq, from.chain, from.createdAt, from.updatedAt, seal] as const
    const { changes } = goOn.run(...next, number, place.from, conversation, ...was)
    return changes === 1 ? { ...plan, number } : undefined
  }

  function moveFromFile(
    conversation: string,
    { expected, events, place }: Append,
  ): Moved | Exclude<AppendPlan, Write> {
    const { number, ...found } = findHead(statements, conversation)
    const plan = planAppend(conversation, found, { expected, events })
    if (plan.kind !== 'write') return plan
    const { head, seal } = plan
    const next = [head.seq, head.chain, head.updatedAt, seal] as const
    const known = number ?? beginConversation(conversation, plan, place.from)
    if (place.kind === 'dated') date.run(...next, place.from, known)
    else if (number !== undefined && advance.run(...next, number, place.from).changes === 0)
      touch.run(...next, place.from, number)
    return { ...plan, number: known }
  }

  function beginConversation(conversation: string, { head, seal }: Write, from: number): number {
    const { seq, chain, createdAt, updatedAt } = head
    const row = begin.get(conversation, seq, chain, createdAt, updatedAt, seal, from)
    const number = Number(row?.['number'])
    name.run(conversation, number)
    return number
  }

  return (conversation: string, append: Append): { ok: boolean; seq: number } => {
    const moved = moveFromLatest(conversation, append) ?? moveFromFile(conversation, append)
    if (moved.kind !== 'write') return { ok: moved.kind === 'nothing', seq: moved.seq }
    const { number, rows, head, seal } = moved
    const keyed = { id: conversation, number }
    checkKeys(keyed, moved.seq)
    insert(keyed, rows)
    for (const { seq, blobs: names } of rows) if (names) blobs.use(conversation, seq, names)
    latest = { ...keyed, head, seal }
    return { ok: true, seq: moved.seq }
  }
}

/** Numbers of rows that one statement can write. Many rows at once take two thirds of the time of single ones. */
const SIZES = [100, 10, 1] as const

/** Prepares the insertions of one connection, each when it is first needed. */
function prepareInsert(database: DatabaseSync) {
  const statements = new Map<number, StatementSync>()

  function getStatement(size: number): StatementSync {
    const known = statements.get(size)
    if (known) return known
    const values = Array.from({ length: size }, () => '(?, ?, ?, ?, ?, ?, ?)').join()
    const statement = database.prepare(
      `INSERT INTO events (key, conversation, seq, at, bytes, original, chain) VALUES ${values}`,
    )
    statements.set(size, statement)
    return statement
  }

  const insertOne = getStatement(1)

  return ({ id, number }: KeyedConversation, rows: readonly EventRow[]): void => {
    const [only] = rows
    if (only && rows.length === 1) {
      const { seq, at, bytes, original, chain } = only
      const data = [toBlob(bytes), original ? toBlob(original) : null, chain]
      insertOne.run(getKey(number, seq), id, seq, at, ...data)
      return
    }
    let from = 0
    for (const size of SIZES) {
      for (; rows.length - from >= size; from += size) {
        const values: SQLInputValue[] = []
        for (const { seq, at, bytes, original, chain } of rows.slice(from, from + size))
          values.push(
            getKey(number, seq),
            id,
            seq,
            at,
            toBlob(bytes),
            original ? toBlob(original) : null,
            chain,
          )
        getStatement(size).run(...values)
      }
    }
  }
}

/** The data of a conversation that is stored beside its events, and its number. */
interface FoundHead extends StoredHead {
  /** Absent if the conversation has no events. */
  number?: number
}

/** Finds the head of a conversation. It is not intact if one of the two places of its number has lost the number. */
function findHead(statements: Statements, conversation: string): FoundHead {
  const row = statements.head.get(conversation)
  const named = statements.number.get(conversation)?.['number']
  if (!row && named === undefined) return EMPTY_STORED_HEAD
  const number = Number(named ?? row?.['number'])
  if (row?.['number'] !== named) return { ...EMPTY_STORED_HEAD, isIntact: false, number }
  return { ...toHead(conversation, row ?? {}), number }
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
