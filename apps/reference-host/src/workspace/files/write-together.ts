import { loadSqlite } from '@toolblocks/conversation-store/engine/load-sqlite'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { explainWrite } from './explain-write.ts'
import { findRealPath, liesBelow } from './real-path.ts'

/** A file that is to be. */
export interface NewFile {
  /** Relative to the folder. */
  name: string
  text: string
  mode: number
}

/** Writes files that are not there yet: all of them, or none, and then it says what stands in the way. None is written through a link that leads elsewhere. */
export async function writeTogether(
  folder: string,
  files: readonly NewFile[],
): Promise<{ ok: true } | { ok: false; message: string }> {
  const there = files.find(({ name }) => existsSync(join(folder, name)))
  if (there) return { ok: false, message: `${join(folder, there.name)} exists` }
  const away = files.find(({ name }) => !leadsBelow(folder, join(folder, name)))
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

/** Whether a path stays below a folder once every link is followed. */
function leadsBelow(folder: string, path: string): boolean {
  const [place, root] = [findRealPath(path), findRealPath(folder)]
  // What cannot be followed cannot be written either.
  return place === undefined || root === undefined || liesBelow(place, root)
}

/** What the operating system says, with the place it says it of. */
function explain(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) throw error
  const path = String(error.path).replace(/\.\d+\.new$/, '')
  return error.code === 'EEXIST' || error.code === 'ENOTDIR'
    ? `${path} is in the way: expected a folder`
    : explainWrite(path, error.code, error.message)
}

/**
 * Writes a file whole: whoever reads it meanwhile reads what was there before. `mode` as in `writeFileSync`. Throws where
 * it cannot be written; then nothing has changed.
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

/** How long a process waits for another one that holds the lock, in milliseconds. */
const PATIENCE_MS = 5000

/**
 * Runs `work` while no other process runs work for the same file. The lock is SQLite's, on a file beside it: the operating system
 * takes it away from a process that dies. Throws where the folder cannot be written, or the lock is not free in time.
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
