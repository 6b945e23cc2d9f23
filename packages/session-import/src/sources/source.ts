import {
  requireArguments,
  MAX_IMPORT_BLOB_BYTES,
  MAX_IMPORT_DEPTH,
  MAX_IMPORT_FILES,
  MAX_IMPORT_FILE_BYTES,
  MAX_IMPORT_RECORD_BYTES,
  getErrorText,
} from '@toolblocks/protocol/internal'
import { createHash } from 'node:crypto'
import {
  type Dirent,
  type Stats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  opendirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type JsonValue } from '@toolblocks/protocol'
import type { FileParts, SourceDocument } from '../records/split-document.ts'
import { CHANGED } from '../records/texts-on-demand.ts'

/** Names of files that may contain conversations. Their content decides. */
const CANDIDATES = /\.(?:jsonl?|ndjson|db|sqlite3?|md)$/i

/** Folders that contain no conversations but many files. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git'])

/** Maximum size of one unpacked blob, in bytes. */
const MAX_BLOB_BYTES = 256 * 1024 * 1024

/** Number of names that one search visits, for each file that it may find. */
const NAMES_PER_FILE = 10

/** The files at a path, and the folders that were skipped. */
export interface SourceFiles {
  /** Paths of the files. Whether a file can be imported is not known yet. */
  files: readonly string[]
  /** Folders that were skipped, each with the reason. */
  skipped: readonly { path: string; message: string }[]
}

/**
 * Finds the files at a path: the file itself, or every file in a folder and those below it that may contain conversations, sorted. Links to folders
 * are not followed, and a link to a file only if the file is in the folder too: others are skipped and reported. What exceeds the limits of a search is skipped and reported.
 */
export function findSourceFiles(path: string): SourceFiles {
  requireArguments('findSourceFiles(path)', [path, 'string'])
  const start = resolve(path)
  if (!statSync(start).isDirectory()) return { files: [start], skipped: [] }
  const files: string[] = []
  const skipped: { path: string; message: string }[] = []
  const open = [{ folder: start, depth: 0 }]
  let looked = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { folder, depth } = next
    for (const entry of readFolder(folder)) {
      looked += 1
      if (files.length >= MAX_IMPORT_FILES || looked > MAX_IMPORT_FILES * NAMES_PER_FILE) {
        const many = MAX_IMPORT_FILES.toLocaleString('en')
        const message = `one search finds at most ${many} files; the rest of this folder and other folders were skipped`
        return { files: files.toSorted(), skipped: [...skipped, { path: folder, message }] }
      }
      const inner = join(folder, entry.name)
      if (!entry.isDirectory()) {
        const refusal = entry.isSymbolicLink() ? refuseLink(inner, start) : undefined
        if (refusal?.kind === 'folder' || (refusal && CANDIDATES.test(entry.name)))
          skipped.push({ path: inner, message: refusal.message })
        else if (!refusal && CANDIDATES.test(entry.name)) files.push(inner)
      } else if (PASSED_OVER.has(entry.name)) continue
      else if (depth < MAX_IMPORT_DEPTH) open.push({ folder: inner, depth: depth + 1 })
      else {
        const message = `folders are searched to a depth of ${MAX_IMPORT_DEPTH}; this folder was skipped`
        skipped.push({ path: inner, message })
      }
    }
  }
  return { files: files.toSorted(), skipped }
}

/** Says why a link in a folder is not followed. Returns `undefined` for a link that is read, and for one to a folder that is searched anyway. */
function refuseLink(
  path: string,
  start: string,
): { kind: 'file' | 'folder'; message: string } | undefined {
  let target
  try {
    target = realpathSync(path)
  } catch {
    const message = 'it is a link to a file that does not exist; it was skipped'
    return { kind: 'file', message }
  }
  const way = relative(realpathSync(start), target)
  if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return undefined
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() === true
    ? {
        kind: 'folder',
        message: `it is a link to the folder ${target}, which is outside; it was skipped. Name that folder to read it`,
      }
    : { kind: 'file', message: 'it is a link that leads out of the folder; it was skipped' }
}

/** Yields the entries of a folder; none if this user may not read it. They are read one by one, because their number has no limit. */
function* readFolder(path: string): Generator<Dirent> {
  let folder
  try {
    folder = opendirSync(path)
  } catch {
    return
  }
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) yield entry
  } catch {
    // The folder was removed, or its disk fails: the entries that were read are used.
  } finally {
    folder.closeSync()
  }
}

/**
 * Opens a file as a source. Only reads it and the files beside it. `firstBytes`: the source has only the complete lines in this number of first bytes;
 * default: the whole file. Throws if the path is not a regular file.
 */
export function openSource(
  path: string,
  { firstBytes = Infinity }: { firstBytes?: number } = {},
): ImportSource {
  requireArguments('openSource(path, …)', [path, 'string'])
  const folder = dirname(path)
  let bytes: Uint8Array | undefined
  let blobBytes = 0
  const links = new Set<string>()
  /** Whether no part of a path, relative to the file's folder, is a link. A link could lead to any file of the reader. */
  const isFree = (name: string): boolean => {
    const link = findLink(folder, name)
    if (link !== undefined) links.add(link)
    return link === undefined
  }
  const { head, stats } = readHead(path)
  const isWhole = firstBytes >= stats.size
  const parts = { size: stats.size, read: createPartReader(path, stats) }
  return {
    path,
    head,
    ...(isWhole && { parts }),
    get bytes() {
      bytes ??= isWhole
        ? readRegular(path, MAX_IMPORT_FILE_BYTES)
        : getLines(parts.read(0, firstBytes))
      return bytes
    },
    modifiedAt: stats.mtime.toISOString(),
    beside: (name) => (isFree(name) ? readBeside(folder, name) : undefined),
    inside: (name) => (isFree(name) ? namesInside(join(folder, name)) : []),
    links,
    blob: (sha256) => {
      if (!/^[0-9a-f]{64}$/.test(sha256) || blobBytes > MAX_IMPORT_BLOB_BYTES) return undefined
      const blob = readBlob(folder, sha256)
      blobBytes += blob?.length ?? 0
      return blobBytes > MAX_IMPORT_BLOB_BYTES ? undefined : blob
    },
  }
}

/** Returns the complete lines of the beginning of a file. */
function getLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
}

/** Returns the first part of a path that is a link. */
function findLink(folder: string, name: string): string | undefined {
  let path = folder
  for (const part of name.split('/')) {
    path = join(path, part)
    if (part !== '..' && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      return path
  }
  return undefined
}

/** Opens a regular file for a function. Other files are refused: opening a pipe, for example, could wait for ever, and reading it would not end. */
function withRegular<Value>(path: string, use: (file: number, stats: Stats) => Value): Value {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) {
      const got = stats.isDirectory() ? 'a folder' : 'a device or a pipe'
      throw new Error(`expected a regular file, got ${got}`)
    }
    return use(file, stats)
  } finally {
    closeSync(file)
  }
}

function readHead(path: string): { head: Uint8Array; stats: Stats } {
  return withRegular(path, (file, stats) => {
    const head = new Uint8Array(16)
    return { head: head.subarray(0, readSync(file, head)), stats }
  })
}

function readRegular(path: string, most: number): Uint8Array {
  return withRegular(path, (file, { size }) => {
    checkSize(size, most)
    // Reads only the size that was checked: a file can grow, and some system files have bytes but report no size.
    return readSpan(file, 0, size)
  })
}

function checkSize(size: number, most: number): void {
  const [limit, got] = [most, size].map((bytes) => bytes.toLocaleString('en'))
  if (size > most) throw new Error(`expected a file of at most ${limit} bytes, got ${got}`)
}

/** Reads bytes of an open file; fewer if it ends before. */
function readSpan(file: number, offset: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(length)
  let done = 0
  for (let more = 1; more > 0 && done < length; done += more)
    more = readSync(file, bytes, done, length - done, offset + done)
  return bytes.subarray(0, done)
}

/** Number of bytes that are read together, because the next bytes that are read are often beside them. */
const BLOCK = 1024 * 1024

/** Creates the function that reads parts of a file. Its last blocks are kept. */
function createPartReader(
  path: string,
  { size, ino, dev }: Pick<Stats, 'size' | 'ino' | 'dev'>,
): FileParts['read'] {
  let kept: { bytes: Uint8Array; at: number } = { bytes: new Uint8Array(), at: 0 }
  const load = (start: number, length: number): Uint8Array => {
    try {
      return withRegular(path, (file, now) => {
        if (now.ino !== ino || now.dev !== dev || now.size < size) throw new Error(CHANGED)
        return readSpan(file, start, length)
      })
    } catch (error) {
      throw explainLoss(error)
    }
  }
  return (offset, length) => {
    checkSize(size, MAX_IMPORT_FILE_BYTES)
    const end = Math.min(size, offset + length)
    if (length > BLOCK) return load(offset, end - offset)
    if (offset < kept.at || end > kept.at + kept.bytes.length) {
      const start = Math.floor(offset / BLOCK) * BLOCK
      const last = Math.min(size, Math.ceil(end / BLOCK) * BLOCK)
      kept = { bytes: load(start, last - start), at: start }
    }
    return kept.bytes.slice(offset - kept.at, end - kept.at)
  }
}

/** Says why a file that could be read before cannot be read now. Any other error stays. */
function explainLoss(cause: unknown): unknown {
  switch (cause instanceof Error && 'code' in cause && cause.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new Error('the file was deleted or moved after it was read', { cause })
    case 'EACCES':
    case 'EPERM':
      return new Error('the permissions of the file were changed after it was read', { cause })
    default:
      return cause
  }
}

/** Reads a file beside a source; returns `undefined` if it does not exist. Throws, with the name of the file, if it cannot be read. */
function readBeside(folder: string, name: string): Uint8Array | undefined {
  const path = join(folder, name)
  try {
    return existsSync(path) ? readRegular(path, MAX_IMPORT_RECORD_BYTES) : undefined
  } catch (error) {
    const reason = getErrorText(error)
    throw new Error(`cannot read ${name} beside it: ${reason}`, { cause: error })
  }
}

/** Reads a blob; an unreadable one is treated as missing. Then the conversation is read without it and reports it. */
function readPacked(path: string): Uint8Array | undefined {
  try {
    return existsSync(path) ? readRegular(path, MAX_BLOB_BYTES) : undefined
  } catch {
    return undefined
  }
}

function namesInside(folder: string): readonly string[] {
  const names: string[] = []
  for (const { name } of readFolder(folder)) {
    if (names.length >= MAX_IMPORT_FILES) break
    names.push(name)
  }
  return names.toSorted()
}

/** Number of folders above a conversation that are searched for its blobs. */
const LEVELS = 4

function readBlob(folder: string, sha256: string): Uint8Array | undefined {
  const [first, second, rest] = [sha256.slice(0, 2), sha256.slice(2, 4), sha256.slice(4)]
  let above = folder
  for (let level = 0; level < LEVELS; level += 1, above = dirname(above)) {
    for (const name of [join(first, second, rest), join(first, sha256)]) {
      const packed = readPacked(join(above, 'blobs', `${name}.blob.gz`))
      const bytes = packed && unpack(packed)
      if (bytes && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
    }
  }
  return undefined
}

function unpack(packed: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_BLOB_BYTES })
  } catch {
    return undefined
  }
}

/** A file that may contain conversations, and the files around it. */
export interface ImportSource {
  path: string
  /** Its first bytes, at most 16. */
  head: Uint8Array
  /** All of its bytes. A file is read when this property is first read. */
  readonly bytes: Uint8Array
  /** Reads parts of its bytes. Absent: the bytes are in memory. */
  parts?: FileParts
  /** When the file was last written: ISO 8601. */
  modifiedAt: string
  /** Returns the bytes of a file in the same folder; `undefined` if it does not exist, or if it is reached through a link. */
  beside(name: string): Uint8Array | undefined
  /** Returns the sorted names in a folder whose path is relative to the file's folder; empty if it does not exist, or if it is reached through a link. */
  inside(name: string): readonly string[]
  /** The links that `beside` and `inside` have not followed until now. */
  links: ReadonlySet<string>
  /** Returns the bytes with a SHA-256 that were stored apart from the file; `undefined` if they are missing or do not match it. */
  blob(sha256: string): Uint8Array | undefined
}

/** A source that is split into records, so its bytes are not needed any more. */
export interface SplitSource extends Omit<ImportSource, 'head' | 'bytes' | 'parts'> {
  document: SourceDocument
}

/** Reads an optional file beside a source; returns `undefined` if it cannot be read. */
export function readExtra(
  { beside }: Pick<ImportSource, 'beside'>,
  name: string,
): Uint8Array | undefined {
  try {
    return beside(name)
  } catch {
    return undefined
  }
}

/** Narrows the type: a part of what `JSON.parse` returned is JSON. */
export function asJson(part: unknown): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- callers pass parts of parsed JSON
  return part as JsonValue
}
