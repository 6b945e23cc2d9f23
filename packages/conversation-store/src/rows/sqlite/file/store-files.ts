import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StoreError } from '../../../store-error.ts'
import { findLostFrames, type ReadAt } from './find-lost-frames.ts'

/** A store's file, and whether this process may write to it. */
export interface StoreFile {
  /** Absolute, without symbolic links: SQLite's other two files lie beside it. */
  file: string
  canWrite: boolean
}

/** Where nothing may be written, an existing file can be read. */
const ONLY_READABLE = new Set(['EROFS', 'EACCES', 'EPERM'])

/** Finds a store's file, or makes it with its folder; it and SQLite's other two files are for their owner only. */
export function findStoreFile(path: string): StoreFile {
  const wanted = resolve(path)
  try {
    mkdirSync(dirname(wanted), { recursive: true, mode: 0o700 })
    // Conversations are private: the file is there, for its owner only, before anything is in it.
    closeSync(openSync(wanted, 'a', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ONLY_READABLE.has(String(error.code))))
      throw error
    if (sizeOf(wanted) === undefined) throw error
    return { file: realpathSync(wanted), canWrite: false }
  }
  const file = realpathSync(wanted)
  for (const part of [file, `${file}-wal`, `${file}-shm`]) keepPrivate(part)
  return { file, canWrite: true }
}

function keepPrivate(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  // Another user's file is that user's to open and to close.
  const isOurs = found?.uid === process.getuid?.() || process.getuid?.() === 0
  if (found && isOurs && (found.mode & 0o777) !== 0o600) chmodSync(path, 0o600)
}

/** Whether there is a write-ahead log with something in it. */
export function hasLog(file: string): boolean {
  return (sizeOf(`${file}-wal`) ?? 0) > 0
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

/**
 * Looks whether SQLite would drop appends from the write-ahead log; only before the file is opened can that be seen.
 *
 * @throws StoreError with code `damaged`.
 */
export function checkLog(file: string): void {
  if (!hasLog(file)) return
  const index = readIndex(file)
  const lost = withFile(`${file}-wal`, (log) => findLostFrames(log, index))
  // A process that is writing at this moment changes the index, and then nothing is lost.
  if (!lost || !Buffer.from(index).equals(readIndex(file))) return
  const message =
    `The store ${file} is damaged: of ${lost.written} pages in ${file}-wal only the first ${lost.readable} can be read. ` +
    'Nothing was changed. Put a good copy of that file back; or, to go on without what it holds, move it away.'
  throw new StoreError('damaged', message)
}

function readIndex(file: string): Uint8Array {
  if (sizeOf(`${file}-shm`) === undefined) return new Uint8Array()
  return withFile(`${file}-shm`, (read) => read(0, 48))
}

function withFile<Value>(path: string, use: (read: ReadAt) => Value): Value {
  const file = openSync(path, 'r')
  try {
    return use((position, length) => {
      const bytes = new Uint8Array(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, position))
    })
  } finally {
    closeSync(file)
  }
}
