import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** How long a process waits for another one that holds the lock, in milliseconds. */
const PATIENCE_MS = 5000

/**
 * Runs `work` while no other process runs work for the same file. The lock is SQLite's, on a file beside it: the operating system
 * takes it away from a process that dies. Throws where the folder cannot be written, or the lock is not free in time.
 */
export function withLock<Value>(file: string, work: () => Value): Value {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const lock = new DatabaseSync(`${file}.lock`, { timeout: PATIENCE_MS })
  try {
    chmodSync(`${file}.lock`, 0o600)
    lock.exec('BEGIN EXCLUSIVE')
    return work()
  } finally {
    lock.close()
  }
}
