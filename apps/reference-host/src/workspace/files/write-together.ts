import { loadSqlite } from '@toolblocks/conversation-store/engine/load-sqlite'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { explainWrite } from './explain-write.ts'
import { findRealPath, isInFolder } from './real-path.ts'

/** A file to create. */
export interface NewFile {
  /** The path, relative to the folder. */
  name: string
  text: string
  mode: number
}

/** Creates new files: all of them, or none with the reason. No file is written through a link that leads out of the folder. */
export async function writeTogether(
  folder: string,
  files: readonly NewFile[],
): Promise<{ ok: true } | { ok: false; message: string }> {
  const there = files.find(({ name }) => existsSync(join(folder, name)))
  if (there) return { ok: false, message: `${join(folder, there.name)} exists` }
  const away = files.find(({ name }) => !isReallyBelow(folder, join(folder, name)))
  if (away) return { ok: false, message: `${join(folder, away.name)} leads out of ${folder}` }
  const undo: string[] = []
  try {
    const drafts: { draft: string; path: string }[] = []
    for (const { name, text, mode } of files) {
      const path = join(folder, name)
      const made = await mkdir(dirname(path), { recursive: true })
      if (made !== undefined) undo.push(made)
      const draft = `${path}.${process.pid}.new`
      undo.push(draft)
      await writeFile(draft, text, { flag: 'wx', mode })
      drafts.push({ draft, path })
    }
    for (const { draft, path } of drafts) {
      await rename(draft, path)
      undo.push(path)
    }
    return { ok: true }
  } catch (error) {
    for (const path of undo.toReversed()) await rm(path, { recursive: true, force: true })
    return { ok: false, message: explain(error) }
  }
}

/** Whether a path stays below a folder after all links are followed. */
function isReallyBelow(folder: string, path: string): boolean {
  const [place, root] = [findRealPath(path), findRealPath(folder)]
  // A path that cannot be followed cannot be written either.
  return place === undefined || root === undefined || isInFolder(place, root)
}

/** Returns the error of the operating system, with its path. */
function explain(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) throw error
  const path = String(error.path).replace(/\.\d+\.new$/, '')
  return error.code === 'EEXIST' || error.code === 'ENOTDIR'
    ? `${path} is not a folder: expected a folder`
    : explainWrite(path, error.code, error.message)
}

/**
 * Replaces a file in one step: a reader gets the old or the new content, never a part. `mode` as in `writeFileSync`. Throws if the file cannot be
 * written; then nothing has changed.
 */
export function writeInOneStep(file: string, text: string, { mode }: { mode: number }): void {
  const draft = `${file}.${process.pid}.new`
  try {
    writeFileSync(draft, text, { mode })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Milliseconds that a process waits for the lock of another one. */
const PATIENCE_MS = 5000

/**
 * Runs `work` while no other process runs work for the same file. The lock is an SQLite lock on a file beside it: the operating system releases it
 * when a process dies. Throws if the folder is not writable, or if the lock is not free in time.
 */
export function withLock<Value>(file: string, work: () => Value): Value {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const { DatabaseSync } = loadSqlite()
  const lock = new DatabaseSync(`${file}.lock`, { timeout: PATIENCE_MS })
  try {
    chmodSync(`${file}.lock`, 0o600)
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
 * blocked. Rejects if the lock is not free in time.
 */
export async function withLongLock<Value>(
  file: string,
  work: () => Promise<Value>,
): Promise<Value> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const { DatabaseSync } = loadSqlite()
  const late = Date.now() + LONG_PATIENCE_MS
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 })
  try {
    chmodSync(`${file}.lock`, 0o600)
    while (!tryToLock(lock)) {
      if (Date.now() > late) throw new Error(`another process does not release ${file}.lock`)
      await pause(ATTEMPT_MS)
    }
    return await work()
  } finally {
    lock.close()
  }
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
