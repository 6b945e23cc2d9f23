import { loadSqlite } from '@toolblocks/conversation-store/engine/load-sqlite'
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds that a process waits for the lock of another one. */
const PATIENCE_MS = 5000

/**
 * Runs `work` while no other process runs work for the same file. The lock is an SQLite lock on a file beside it: the operating system releases it
 * when a process dies. Throws if the folder is not writable, or if the lock is not free in time.
 */
export function withLock<Value>(file: string, work: () => Value): Value {
  const lock = openLock(file, PATIENCE_MS)
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return work()
  } finally {
    lock.close()
  }
}

/** Milliseconds that a process waits for work of another one, which may wait for a network, and between two attempts. */
const LONG_PATIENCE_MS = 60_000
const ATTEMPT_MS = 25

/**
 * Runs work that takes its time while no other work runs for the same file, in this process and in others. Like `withLock`, but this process is not
 * blocked. Rejects if the lock is not free in time, or with the reason of a signal that ends the wait.
 */
export async function withLongLock<Value>(
  file: string,
  signal: AbortSignal | undefined,
  work: () => Promise<Value>,
): Promise<Value> {
  const late = Date.now() + LONG_PATIENCE_MS
  const lock = openLock(file, 0)
  try {
    while (!tryToLock(lock)) {
      signal?.throwIfAborted()
      if (Date.now() > late) throw new Error(`another process does not release ${file}.lock`)
      await pause(ATTEMPT_MS)
    }
    return await work()
  } finally {
    lock.close()
  }
}

/** Opens the lock file, never through a link. */
function openLock(file: string, timeout: number): { exec(statement: string): void; close(): void } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const path = `${file}.lock`
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error(`${path} is a link: expected a file of its own; remove the link`)
  const { DatabaseSync } = loadSqlite()
  const lock = new DatabaseSync(path, { timeout })
  chmodSync(path, 0o600)
  return lock
}

function tryToLock(lock: { exec(statement: string): void }): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    // 5: another connection has the lock.
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return false
    throw error
  }
}
