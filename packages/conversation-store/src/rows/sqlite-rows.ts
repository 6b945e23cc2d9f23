import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store-error.ts'
import { chainRows, NO_HEAD, type EventRow, type Head } from './event-row.ts'
import type { ConversationSummary, EventRows } from './event-rows.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import {
  APPLICATION_ID,
  CONNECTION_SETTINGS,
  CREATE_TABLES,
  LAYOUT_VERSION,
} from './sqlite-schema.ts'

/** Statements wait this long on the calling thread, then off it. */
const BUSY_TIMEOUT = 50

type Row = Record<string, unknown>

/** Keeps rows in a SQLite file, which is made with its folder where there is none. */
export async function openSqliteRows(path: string): Promise<EventRows> {
  const file = resolve(path)
  const database = await openDatabase(file)
  const statements = prepare(database)

  function guard<Value>(statement: () => Value): Promise<Value> {
    return retryWhileBusy(() => {
      if (!database.isOpen) throw new StoreError('closed', `The store ${file} is closed.`)
      return statement()
    }).catch((error: unknown) => {
      throw error instanceof StoreError ? error : failed(file, error)
    })
  }

  return {
    append: (conversation, expected, events) =>
      guard(() =>
        inTransaction(database, 'IMMEDIATE', () => {
          const head = toHead(statements.head.get(conversation))
          if (head.seq !== expected) return { ok: false, seq: head.seq }
          const rows = chainRows(head, events)
          const last = rows.at(-1)
          if (!last) return { ok: true, seq: head.seq }
          statements.touch.run(conversation, last.seq, last.chain, rows[0]?.at ?? last.at, last.at)
          for (const { seq, at, bytes, sha256, chain } of rows)
            statements.insert.run(conversation, seq, at, bytes, sha256, chain)
          return { ok: true, seq: last.seq }
        }),
      ),
    head: (conversation) => guard(() => toHead(statements.head.get(conversation))),
    read: (conversation, { after, before, limit, from }) =>
      guard(() => {
        const newest = Math.min(before, Number.MAX_SAFE_INTEGER)
        const found = statements[from].all(conversation, after, newest, limit).map(toEventRow)
        return from === 'first' ? found : found.toReversed()
      }),
    list: ({ limit, offset }) => guard(() => statements.list.all(limit, offset).map(toSummary)),
    delete: (conversation) => guard(() => Number(statements.remove.run(conversation).changes) > 0),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

async function openDatabase(file: string): Promise<DatabaseSync> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Conversations are private: the file is there, for its owner only, before anything is in it.
    closeSync(openSync(file, 'a', 0o600))
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
    try {
      await retryWhileBusy(() => setUp(database, file))
      return database
    } catch (error) {
      database.close()
      throw error
    }
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StoreError('cannot-open', `The store ${file} cannot be opened: ${reason}`, { cause })
  }
}

function setUp(database: DatabaseSync, file: string): void {
  checkOwner(database, file)
  database.exec(CONNECTION_SETTINGS)
  if (numberOf(database, 'user_version') !== 0) return
  inTransaction(database, 'IMMEDIATE', () => {
    if (numberOf(database, 'user_version') === 0) database.exec(CREATE_TABLES)
  })
}

/** Looks before anything is written: someone else's database and a newer layout are left alone. */
function checkOwner(database: DatabaseSync, file: string): void {
  // One snapshot: another process may be making the tables at this moment.
  const { owner, version, tables } = inTransaction(database, 'DEFERRED', () => ({
    owner: numberOf(database, 'application_id'),
    version: numberOf(database, 'user_version'),
    tables: Number(
      database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'],
    ),
  }))
  const isEmpty = owner === 0 && version === 0 && tables === 0
  if (!isEmpty && owner !== APPLICATION_ID)
    throw new StoreError(
      'not-a-store',
      `${file} is a database of another program; choose another file.`,
    )
  if (version > LAYOUT_VERSION) {
    const message = `${file} was written by a newer version (layout ${version}, this one reads ${LAYOUT_VERSION}); update toolblocks.`
    throw new StoreError('newer-version', message)
  }
}

function numberOf(database: DatabaseSync, pragma: 'application_id' | 'user_version'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma])
}

function prepare(database: DatabaseSync) {
  const range = 'FROM events WHERE conversation = ? AND seq > ? AND seq < ?'
  const columns = 'seq, at, bytes, sha256, chain'
  return {
    head: database.prepare('SELECT seq, chain FROM conversations WHERE id = ?'),
    touch: database.prepare(`
      INSERT INTO conversations (id, seq, chain, created_at, updated_at, touched)
      VALUES (?, ?, ?, ?, ?, (SELECT coalesce(max(touched), 0) + 1 FROM conversations))
      ON CONFLICT (id) DO UPDATE SET
        seq = excluded.seq, chain = excluded.chain, updated_at = excluded.updated_at, touched = excluded.touched`),
    insert: database.prepare(
      'INSERT INTO events (conversation, seq, at, bytes, sha256, chain) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    first: database.prepare(`SELECT ${columns} ${range} ORDER BY seq LIMIT ?`),
    last: database.prepare(`SELECT ${columns} ${range} ORDER BY seq DESC LIMIT ?`),
    list: database.prepare(
      'SELECT id, seq, created_at, updated_at FROM conversations ORDER BY touched DESC LIMIT ? OFFSET ?',
    ),
    remove: database.prepare('DELETE FROM conversations WHERE id = ?'),
  }
}

/** `IMMEDIATE` for writing: a deferred transaction that reads first cannot always become a writing one. */
function inTransaction<Value>(
  database: DatabaseSync,
  kind: 'DEFERRED' | 'IMMEDIATE',
  work: () => Value,
): Value {
  database.exec(`BEGIN ${kind}`)
  try {
    const value = work()
    database.exec('COMMIT')
    return value
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

const toBytes = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array()

function toHead(row: Row | undefined): Head {
  return row ? { seq: Number(row['seq']), chain: toBytes(row['chain']) } : NO_HEAD
}

function toEventRow(row: Row): EventRow {
  return {
    seq: Number(row['seq']),
    at: String(row['at']),
    bytes: toBytes(row['bytes']),
    sha256: toBytes(row['sha256']),
    chain: toBytes(row['chain']),
  }
}

function toSummary(row: Row): ConversationSummary {
  return {
    id: String(row['id']),
    events: Number(row['seq']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
  }
}

function failed(file: string, cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new StoreError('failed', `The store ${file} failed: ${reason}`, { cause })
}
