import {
  chmodSync,
  closeSync,
  mkdirSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { endianness } from 'node:os'
import { dirname, resolve } from 'node:path'
import { StoreError } from '../../problems/store-error.ts'

/** A store's file, and whether this process may write to it. */
export interface StoreFile {
  /** Absolute path without symbolic links, because SQLite's other two files are beside the file. */
  file: string
  canWrite: boolean
}

/** The ends of the names of SQLite's other files. Through a link, SQLite would write elsewhere. */
const BESIDE = ['-wal', '-shm', '-journal']

/** Error codes after which an existing file can still be read. */
const ONLY_READABLE = new Set(['EROFS', 'EACCES', 'EPERM'])

/** Finds a store's file, or creates it and its folder, and with `createFolders` the folders above. Sets permissions so that only the owner can open it and SQLite's other two files. */
export function findStoreFile(path: string, createFolders: boolean): StoreFile {
  const wanted = resolve(path)
  try {
    const folder = dirname(wanted)
    if (!createFolders) expectFolder(dirname(folder), wanted)
    syncNewFolders(folder, mkdirSync(folder, { recursive: true, mode: 0o700 }))
    expectFile(wanted)
    // Conversations are private: the file has the owner's permissions before anything is written to it.
    closeSync(openSync(wanted, 'a', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && ONLY_READABLE.has(String(error.code))))
      throw error
    if (findSize(wanted) === undefined) throw error
    return { file: realpathSync(wanted), canWrite: false }
  }
  const file = realpathSync(wanted)
  for (const part of BESIDE.map((end) => `${file}${end}`))
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new StoreError(
        'damaged',
        `${part} is a link: expected a file of SQLite; remove the link`,
      )
  for (const part of BESIDE) expectFile(`${file}${part}`)
  for (const part of [file, `${file}-wal`, `${file}-shm`]) keepPrivate(part)
  return { file, canWrite: true }
}

/** Throws if a folder above the folder of a file is missing, because the path is probably mistyped. */
function expectFolder(folder: string, file: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return
  let missing = folder
  while (statSync(dirname(missing), { throwIfNoEntry: false }) === undefined)
    missing = dirname(missing)
  const message = `The store ${file} cannot be opened: the folder ${missing} does not exist; correct the path, or create the folder.`
  throw new StoreError('cannot-open', message)
}

/** Throws if something else is in the place of a file: opening a pipe would wait for its writer, and nothing could interrupt that. */
function expectFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || stats.isFile()) return
  const what = stats.isDirectory() ? 'a folder' : 'a device or a pipe'
  const message = `The store ${path} cannot be opened: expected a regular file, got ${what}.`
  throw new StoreError('cannot-open', message)
}

/** Waits until the disk has new folders, from the first created one. SQLite does this only for the files inside the last one. */
function syncNewFolders(last: string, first: string | undefined): void {
  // Windows cannot open a folder.
  if (first === undefined || process.platform === 'win32') return
  for (let folder = last; ; folder = dirname(folder)) {
    const above = openSync(dirname(folder), 'r')
    try {
      fsyncSync(above)
    } finally {
      closeSync(above)
    }
    if (folder === first) return
  }
}

function keepPrivate(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  // Only the owner of a file can change its permissions.
  const isOurs = stats?.uid === process.getuid?.() || process.getuid?.() === 0
  if (stats && isOurs && (stats.mode & 0o777) !== 0o600) chmodSync(path, 0o600)
}

/** Whether a write-ahead log with content exists. */
export function hasLog(file: string): boolean {
  return (findSize(`${file}-wal`) ?? 0) > 0
}

function findSize(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

/**
 * Checks whether SQLite would drop appends from the write-ahead log. This can only be detected before the file is opened. It applies to a log that
 * was written with durability `full`: without a sync after each append, a power cut may keep a later page of the log and lose an earlier one.
 *
 * @throws StoreError with code `damaged`.
 */
export function checkLog(file: string): void {
  if (!hasLog(file)) return
  const index = readIndex(file)
  const lost = withFile(`${file}-wal`, (log) => findLostFrames(log, index))
  // If the index changes during the check, a process is writing, and nothing is lost.
  if (!lost || !Buffer.from(index).equals(readIndex(file))) return
  const message =
    `The store ${file} is damaged: of ${lost.written} pages in ${file}-wal only the first ${lost.readable} can be read. ` +
    'Nothing was changed. Restore a good copy of that file; or, to continue without its content, move it away. ' +
    'If the store was written with durability "normal" and the power was cut, open it once with that durability: only its last appends are missing.'
  throw new StoreError('damaged', message)
}

function readIndex(file: string): Uint8Array {
  return withFile(`${file}-shm`, (read) => read(0, 48)) ?? new Uint8Array()
}

/** Reads a file that the last process which closes the store removes at any moment; `undefined` if it is gone. */
function withFile<Value>(path: string, use: (read: ReadAt) => Value): Value | undefined {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    return use((position, length) => {
      const bytes = new Uint8Array(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, position))
    })
  } finally {
    closeSync(file)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads some bytes of a file; fewer at its end. */
type ReadAt = (position: number, length: number) => Uint8Array

const LOG_HEADER = 32
const FRAME_HEADER = 24
const INDEX_HEADER = 48
const NATIVE = endianness() === 'LE'

type Sums = readonly [number, number]

/**
 * Finds lost frames in a `-wal` file. SQLite silently ignores every frame from the first one whose checksum does not match, and so all appends in
 * them. The `-shm` file of a process that died contains the number of frames. Without it, a complete later transaction after the bad frame shows
 * the loss, because each transaction is synced before the next one begins.
 *
 * See https://sqlite.org/fileformat2.html#walformat and https://sqlite.org/walformat.html#the_wal_index_file_format.
 */
function findLostFrames(
  log: ReadAt,
  index: Uint8Array,
): { readable: number; written: number } | undefined {
  const first = log(0, LOG_HEADER + FRAME_HEADER)
  if (first.length < LOG_HEADER + FRAME_HEADER) return undefined
  const header = readLogHeader(first)
  const frames = readFrames(log, header)
  const logIndex = readLogIndex(index)
  const readable = header.isIntact ? frames.readable : 0
  if (
    logIndex &&
    logIndex.frames > readable &&
    (!header.isIntact || logIndex.salts === header.salts)
  )
    return { readable, written: logIndex.frames }
  return frames.laterFrame > 0 ? { readable, written: frames.laterFrame } : undefined
}

interface LogHeader {
  isIntact: boolean
  isLittleEndian: boolean
  pageSize: number
  salts: string
  sums: Sums
}

function readLogHeader(bytes: Uint8Array): LogHeader {
  const view = getView(bytes)
  const magic = view.getUint32(0)
  const isIntact = (magic | 1) === 0x377f0683
  const isLittleEndian = isIntact ? magic % 2 === 0 : NATIVE
  const sums: Sums = [view.getUint32(24), view.getUint32(28)]
  const fits = isIntact && equal(checksum([0, 0], bytes.subarray(0, 24), isLittleEndian), sums)
  const pageSize = view.getUint32(8)
  const isPageSize = pageSize >= 512 && pageSize <= 65_536 && Number.isInteger(Math.log2(pageSize))
  return {
    isIntact: fits,
    isLittleEndian,
    pageSize: isPageSize ? pageSize : 4096,
    // A damaged header may have lost the salts, but every frame repeats them.
    salts: fits ? hex(bytes.subarray(16, 24)) : hex(bytes.subarray(40, 48)),
    sums,
  }
}

/**
 * Returns the number of frames from the first that match their checksum, and the last frame after a bad one that matches and was written after a
 * commit.
 */
function readFrames(log: ReadAt, header: LogHeader): { readable: number; laterFrame: number } {
  let { sums } = header
  let readable = 0
  let laterFrame = 0
  let isWhole = header.isIntact
  let isLater = false
  const size = FRAME_HEADER + header.pageSize
  for (let frame = 1; ; frame++) {
    const bytes = log(LOG_HEADER + (frame - 1) * size, size)
    if (bytes.length < size) return { readable, laterFrame }
    const view = getView(bytes)
    const own: Sums = [view.getUint32(16), view.getUint32(20)]
    const isOurs = hex(bytes.subarray(8, 16)) === header.salts
    const fits = isOurs && equal(sumFrame(sums, bytes, header), own)
    isWhole &&= fits
    if (isWhole) readable = frame
    else if (fits && isLater) laterFrame = frame
    // A frame that commits contains the size of the database.
    if (!isWhole && isOurs && view.getUint32(4) > 0) isLater = true
    sums = own
  }
}

function sumFrame(sums: Sums, frame: Uint8Array, { isLittleEndian }: LogHeader): Sums {
  const begun = checksum(sums, frame.subarray(0, 8), isLittleEndian)
  return checksum(begun, frame.subarray(FRAME_HEADER), isLittleEndian)
}

/** Reads the state of the log from the index; returns `undefined` if the index itself is damaged. */
function readLogIndex(bytes: Uint8Array): { frames: number; salts: string } | undefined {
  if (bytes.length < INDEX_HEADER) return undefined
  const view = getView(bytes)
  const own: Sums = [view.getUint32(40, NATIVE), view.getUint32(44, NATIVE)]
  const isIntact = bytes[12] === 1 && equal(checksum([0, 0], bytes.subarray(0, 40), NATIVE), own)
  if (!isIntact) return undefined
  return { frames: view.getUint32(16, NATIVE), salts: hex(bytes.subarray(32, 40)) }
}

/** Computes SQLite's checksum over pairs of 32-bit numbers. */
function checksum([one, two]: Sums, bytes: Uint8Array, isLittleEndian: boolean): Sums {
  const view = getView(bytes)
  let a = one
  let b = two
  for (let offset = 0; offset < bytes.length; offset += 8) {
    a = (a + view.getUint32(offset, isLittleEndian) + b) >>> 0
    b = (b + view.getUint32(offset + 4, isLittleEndian) + a) >>> 0
  }
  return [a, b]
}

const equal = (one: Sums, other: Sums): boolean => one[0] === other[0] && one[1] === other[1]
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const getView = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)
