import { randomBytes } from 'node:crypto'
import {
  type Stats,
  closeSync,
  constants,
  createWriteStream,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { copyFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { findRealPath, isInFolder } from './real-path.ts'

// Every file of the product is written here: a draft with a name that nobody can know before, in one step, and never through a link that a folder contains.

/** A file to write. */
export interface WriteTarget {
  path: string
  /** The folder that the file must really be below. Absent: a file of the user, whose links the user has made, so the target of a link is written. */
  below?: string
}

interface NotSaved {
  ok: false
  message: string
}

/** Whether the file was written, or why not. */
export type Saved = { ok: true } | NotSaved

/** A file to create. */
export interface NewFile {
  /** The path, relative to the folder. */
  name: string
  text: string
  mode: number
}

/** Returns the target of a command's `--to FILE`: a path that the person typed. In the folder of the command, links lead nowhere else. */
export function typedTarget(path: string, folder: string): WriteTarget {
  return isInFolder(path, folder) ? { path, below: folder } : { path }
}

/** Creates new files: all of them, or none with the reason. */
export async function writeTogether(folder: string, files: readonly NewFile[]): Promise<Saved> {
  const there = files.find(({ name }) => isThere(join(folder, name)))
  if (there) return { ok: false, message: `${join(folder, there.name)} exists` }
  const undo: string[] = []
  try {
    const drafts: { draft: string; path: string }[] = []
    for (const { name, text, mode } of files) {
      const path = findPlace({ path: join(folder, name), below: folder })
      const made = await mkdir(dirname(path), { recursive: true })
      if (made !== undefined) undo.push(made)
      const draft = nameDraft(path)
      undo.push(draft)
      writeDraft(draft, text, mode)
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

/**
 * Replaces a file in one step: a reader gets the old or the new content, never a part. `mode` as in `writeFileSync`. Throws if the file cannot be
 * written; then nothing has changed.
 */
export function writeInOneStep(
  target: WriteTarget,
  text: string,
  { mode }: { mode: number },
): void {
  const path = findPlace(target)
  const draft = nameDraft(path)
  try {
    writeDraft(draft, text, mode)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Says that a file exists which `saveText` would keep. For a command that reads or reports something before it writes. */
export function findExisting(
  { path }: WriteTarget,
  existing: 'keep' | 'replace',
): NotSaved | undefined {
  return existing === 'keep' && isThere(path) ? refuseExisting(path) : undefined
}

/**
 * Writes a complete file for its owner only. The file appears when all pieces are written. An existing file is kept, unless it may be replaced.
 * Errors of the pieces are thrown.
 */
export async function saveText(
  target: WriteTarget,
  pieces: AsyncIterable<string> | Iterable<string>,
  existing: 'keep' | 'replace',
): Promise<Saved> {
  const kept = findExisting(target, existing)
  if (kept) return kept
  let draft: string | undefined
  try {
    const path = findPlace(target)
    draft = nameDraft(path)
    await pipeline(Readable.from(pieces), createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
    if (existing === 'replace') await rename(draft, path)
    // Unlike a rename, a copy fails if another process has created the file meanwhile.
    else await copyFile(draft, path, constants.COPYFILE_EXCL)
    return { ok: true }
  } catch (error) {
    return isExisting(error)
      ? refuseExisting(target.path)
      : { ok: false, message: explain(error, target.path) }
  } finally {
    if (draft !== undefined) await rm(draft, { force: true })
  }
}

/** A target that a link leads out of its folder. */
class LinkedTarget extends Error {
  readonly code = 'linked'
}

/** Returns the path to write, without links. Throws if it is not really below its folder. */
function findPlace({ path, below }: WriteTarget): string {
  const target = findRealPath(path)
  if (below === undefined) return target ?? path
  const root = findRealPath(below)
  if (target !== undefined && root !== undefined && isInFolder(target, root)) return target
  // Without a link, the operating system says what is wrong.
  if (target === undefined && !hasLink(path, below)) return path
  const where = target === undefined ? '' : ` to ${target}`
  throw new LinkedTarget(
    `${path} leads out of ${below}${where}: expected a file in the folder; remove the link`,
  )
}

/** Whether a part of a path below a folder is a link. */
function hasLink(path: string, folder: string): boolean {
  if (!isInFolder(path, folder) || path === folder) return false
  return inspect(path)?.isSymbolicLink() === true || hasLink(dirname(path), folder)
}

function isThere(path: string): boolean {
  return inspect(path) !== undefined
}

/** Inspects a path itself, not the target of a link. */
function inspect(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // A part of the path is a file, or may not be read.
    return undefined
  }
}

/** A name that no folder can have prepared. */
function nameDraft(path: string): string {
  return `${path}.${randomBytes(8).toString('hex')}.new`
}

function writeDraft(draft: string, text: string, mode: number): void {
  // Exclusive: an existing file or link is never opened.
  const file = openSync(draft, 'wx', mode)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}

function isExisting(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    'code' in error &&
    error.code === 'EEXIST' &&
    error.syscall === 'copyfile'
  )
}

function refuseExisting(path: string): NotSaved {
  return { ok: false, message: `${path} exists; --force replaces it` }
}

/** Returns why a file cannot be written. Throws what is no error of the operating system. */
function explain(error: unknown, wanted?: string): string {
  if (error instanceof LinkedTarget) return error.message
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
  const path =
    wanted ?? ('path' in error ? String(error.path).replace(/\.[0-9a-f]{16}\.new$/, '') : '')
  switch (error.code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return wanted === undefined
        ? `${path} is not a folder: expected a folder`
        : `${path} cannot be written: there is no folder ${dirname(path)}`
    case 'ENOENT':
      return `${path} cannot be written: there is no folder ${dirname(path)}`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${path} may not be written`
    case 'ENOSPC':
      return `there is no space left for ${path}`
    default:
      return `${path} cannot be written: ${error.message}`
  }
}

/** Renames a file of this user to `FILE.invalid`. */
export function setAside(file: string): void {
  renameSync(file, `${file}.invalid`)
}
