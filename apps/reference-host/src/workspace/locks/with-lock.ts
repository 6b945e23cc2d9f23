import { loadSqlite } from '@toolblocks/conversation-store/internal/load-sqlite'
import { hash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createAgentHost, describeProcess } from '../../process/agent-host.ts'
import { dataFile } from '../files/own-folders.ts'
import { readRegularFile } from '../files/read-regular-file.ts'
import { findRealPath } from '../files/real-path.ts'
import { writeInOneStep } from '../files/write-file.ts'

/** A lock, and what only its holder may change. */
export interface Lock {
  /** The path of the lock file. */
  path: string
  /** What it protects, for people. */
  of: string
}

/** How a process waits for a lock that another process holds. */
export interface LockWait {
  /** Milliseconds. Default: 10 seconds. */
  patienceMs?: number
  /** Ends the wait. Work that has started is not ended. */
  signal?: AbortSignal
  /** Called once, if the wait is longer than a second, with what is waited for. */
  onWait?: (what: string) => void
}

/** Another process holds a lock and did not release it in time. Nothing was changed. */
export class LockHeld extends Error {
  override name = 'LockHeld'
  readonly code = 'LOCK_HELD'
  /** What was not changed, and who changes it, in one line. */
  readonly reason: string
  /** What to do, in one line. */
  readonly fix: string

  constructor(reason: string, fix: string) {
    super(`${reason}. ${fix}`)
    this.reason = reason
    this.fix = fix
  }
}

/** Returns the lock of a file in the own folders of this user. It is beside the file. */
export function getOwnLock(file: string): Lock {
  return { path: `${file}.lock`, of: file }
}

/**
 * Returns the lock of a file in a folder of a person or of another program. It is in the data folder of this user, because it is never removed: a
 * person would find it among their own files, and other hosts use such names beside their files for locks of their own. All links to a file have
 * the same lock.
 */
export function getFileLock(file: string): Lock {
  const key = hash('sha256', findRealPath(file) ?? file).slice(0, 32)
  return { path: dataFile(join('locks', `${key}.lock`)), of: file }
}

const PATIENCE_MS = 10_000
/** Milliseconds after which a wait is explained, and between two attempts. */
const EXPLAINED_MS = 1000
const ATTEMPT_MS = 25

/**
 * Runs work while no other work runs with the same lock, in this process and in others. Work that changes a file reads it inside the lock, so that it
 * keeps the changes of others. It is an SQLite lock: the operating system releases it when its process dies. Rejects with a `LockHeld` if the lock
 * is not free in time, or with the reason of the signal.
 */
export async function withLock<Value>(
  lock: Lock,
  wait: LockWait,
  work: () => Value | Promise<Value>,
): Promise<Value> {
  const database = openDatabase(lock.path)
  try {
    await untilFree(database, lock, wait)
    const note = getHolderFile(lock)
    writeInOneStep({ path: note }, createAgentHost().holder, { mode: 0o600 })
    try {
      return await work()
    } finally {
      rmSync(note, { force: true })
    }
  } finally {
    database.close()
  }
}

async function untilFree(
  database: Database,
  lock: Lock,
  { patienceMs = PATIENCE_MS, signal, onWait }: LockWait,
): Promise<void> {
  const started = performance.now()
  let isExplained = false
  while (!tryToLock(database)) {
    signal?.throwIfAborted()
    const waited = performance.now() - started
    if (waited > patienceMs)
      throw new LockHeld(
        `${lock.of} was not changed: ${describeHolder(lock)} changes it and has not finished within ${Math.ceil(patienceMs / 1000)} seconds`,
        'Continue that process if it is stopped ("fg"), or end it, and try again.',
      )
    if (!isExplained && waited > EXPLAINED_MS) {
      isExplained = true
      onWait?.(`${describeHolder(lock)}, which changes ${lock.of}`)
    }
    await pause(ATTEMPT_MS)
  }
}

/** Returns the path of the file in which the holder of a lock writes who it is. */
function getHolderFile({ path }: Lock): string {
  return `${path}.holder`
}

function describeHolder(lock: Lock): string {
  return findHolder(lock) ?? 'another process'
}

/** Describes another process that holds a lock, if there is one. A process that has just taken it may not have written who it is yet. */
export function findHolder(lock: Lock): string | undefined {
  const own = createAgentHost()
  try {
    const holder = readRegularFile(getHolderFile(lock), MAX_HOLDER_BYTES)
    return holder === own.holder || own.isGone?.(holder) === true
      ? undefined
      : describeProcess(holder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

const MAX_HOLDER_BYTES = 1024

interface Database {
  exec(statement: string): void
  close(): void
}

/** Opens the lock file, never through a link. */
function openDatabase(path: string): Database {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${path} is a link: expected a file of its own; remove the link`)
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path, { timeout: 0 })
  chmodSync(path, 0o600)
  return database
}

function tryToLock(database: Database): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    // 5: another connection has the lock.
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return false
    throw error
  }
}
