import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { StoreError } from '../../problems/store-error.ts'
import { type Layout, getLayoutSteps } from '../layout.ts'
import { loadSqlite } from './load-sqlite.ts'
import { inTransaction, retryWhileBusy, sqliteFailure } from './transaction.ts'
import {
  APPLICATION_ID,
  CONNECTION_SETTINGS,
  type Durability,
  WRITER_SETTINGS,
} from './sqlite-schema.ts'
import { checkLog, findStoreFile, hasLog, type StoreFile } from './store-files.ts'

/** Time for which a statement waits on the calling thread, in milliseconds. After that it waits off the thread. */
const BUSY_TIMEOUT = 50

/** SQLite's name for a database in the memory of this process. */
export const MEMORY = ':memory:'

/** An open file with its prepared statements. */
export interface OpenDatabase<Prepared> {
  file: string
  canWrite: boolean
  database: DatabaseSync
  prepared: Prepared
}

/** How a store's file is opened. */
export interface OpenFileOptions {
  durability?: Durability
  /** Whether all missing folders above the file are created. */
  createFolders?: boolean
  /** The tables of the file. A test opens files with the layout of an invented later version. */
  layout?: Layout
  /** Called if an operation has waited for another process for a second. */
  onWait?: (what: string) => void
}

/** Opens a store's file, creates it if it does not exist, and changes the tables of an earlier version. `:memory:` is a store in the memory of this process. */
export async function openDatabase<Prepared>(
  path: string,
  { durability, createFolders, layout, onWait }: Required<OpenFileOptions>,
  prepare: (database: DatabaseSync) => Prepared,
): Promise<OpenDatabase<Prepared>> {
  let file = path
  try {
    const storeFile =
      path === MEMORY ? { file: path, canWrite: true } : findStoreFile(path, createFolders)
    file = path === MEMORY ? 'memory:' : storeFile.file
    if (durability === 'full' && path !== MEMORY) checkLog(file)
    const database = connect(storeFile)
    try {
      await retryWhileBusy(() => setUp(database, storeFile, { durability, layout }), {
        file,
        onWait,
      })
      return { file, canWrite: storeFile.canWrite, database, prepared: prepare(database) }
    } catch (error) {
      database.close()
      throw error
    }
  } catch (cause) {
    throw sqliteFailure(file, cause, { otherwise: 'cannot-open' })
  }
}

function connect({ file, canWrite }: StoreFile): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  if (canWrite) return new DatabaseSync(file, { timeout: BUSY_TIMEOUT })
  // SQLite creates files beside one in WAL mode, unless the file is opened as immutable. If a log exists, SQLite must read it too.
  const url = pathToFileURL(file)
  if (!hasLog(file)) url.searchParams.set('immutable', '1')
  return new DatabaseSync(url, { readOnly: true, timeout: BUSY_TIMEOUT })
}

function setUp(
  database: DatabaseSync,
  { file, canWrite }: StoreFile,
  { durability, layout }: Pick<Required<OpenFileOptions>, 'durability' | 'layout'>,
): void {
  const version = checkOwner(database, file)
  const steps = getLayoutSteps(layout, version, file)
  database.exec(CONNECTION_SETTINGS)
  if (!canWrite) return checkReadable(file, { version, needed: layout.version })
  database.exec(WRITER_SETTINGS[durability])
  if (steps.length === 0) return
  inTransaction(database, 'IMMEDIATE', () => {
    // Another process may have changed the tables meanwhile.
    const now = getNumber(database, 'user_version')
    for (const step of getLayoutSteps(layout, now, file)) database.exec(step)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    database.exec(`PRAGMA user_version = ${layout.version}`)
  })
}

function checkReadable(
  file: string,
  { version, needed }: { version: number; needed: number },
): void {
  if (version === needed) return
  const message = `${file} is read-only, and its layout ${version} must be changed to ${needed} first: open it once with write permission.`
  throw new StoreError('read-only', message)
}

/** Checks the file before anything is written, and returns the number of its layout. A database of another program is not changed. */
function checkOwner(database: DatabaseSync, file: string): number {
  // Reads one snapshot, because another process may be creating the tables at this moment.
  const { owner, version, tables } = inTransaction(database, 'DEFERRED', () => ({
    owner: getNumber(database, 'application_id'),
    version: getNumber(database, 'user_version'),
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
  if (owner === APPLICATION_ID && version === 0 && tables > 0)
    throw new StoreError(
      'damaged',
      `${file} is a store without the number of its layout, so it cannot be read; restore it from a backup, or choose another file.`,
    )
  return version
}

function getNumber(database: DatabaseSync, pragma: 'application_id' | 'user_version'): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma])
}
