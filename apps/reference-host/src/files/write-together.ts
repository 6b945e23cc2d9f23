import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { explainWrite } from './explain-write.ts'
import { liesBelow } from './lies-below.ts'
import { findRealPath } from './real-path.ts'

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
