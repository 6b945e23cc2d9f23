import { createHash } from 'node:crypto'
import {
  closeSync,
  type Dirent,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Source } from './source.ts'

/** Files that may hold conversations, by the end of their names; what they hold is told by their content. */
const CANDIDATES = /\.(?:jsonl?|ndjson|db|sqlite3?)$/i
/** Folders that hold none, and many files. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git'])
/** What one blob may become. */
const MOST_BLOB_BYTES = 256 * 1024 * 1024

/** The files at a path: itself, or in a folder and those below it every file that may hold conversations, sorted. Links to folders are not followed. */
export function findSourceFiles(path: string): readonly string[] {
  const start = resolve(path)
  if (!statSync(start).isDirectory()) return [start]
  const found: string[] = []
  const open = [start]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readFolder(folder)) {
      const inner = join(folder, entry.name)
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) open.push(inner)
      else if (!entry.isDirectory() && CANDIDATES.test(entry.name)) found.push(inner)
    }
  }
  return found.toSorted()
}

/** A folder that this user may not read has nothing for them. */
function readFolder(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Opens a file as a source. It and what lies beside it are only read. */
export function openSource(path: string): Source {
  const folder = dirname(path)
  let bytes: Uint8Array | undefined
  return {
    path,
    head: readHead(path),
    get bytes() {
      bytes ??= readFileSync(path)
      return bytes
    },
    modifiedAt: statSync(path).mtime.toISOString(),
    beside: (name) => readIfThere(join(folder, name)),
    blob: (sha256) => (/^[0-9a-f]{64}$/.test(sha256) ? readBlob(folder, sha256) : undefined),
  }
}

function readHead(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const head = new Uint8Array(16)
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

function readIfThere(path: string): Uint8Array | undefined {
  return existsSync(path) ? readFileSync(path) : undefined
}

/** How far above a conversation its blobs may lie. */
const LEVELS = 4

function readBlob(folder: string, sha256: string): Uint8Array | undefined {
  const [first, second, rest] = [sha256.slice(0, 2), sha256.slice(2, 4), sha256.slice(4)]
  let above = folder
  for (let level = 0; level < LEVELS; level += 1, above = dirname(above)) {
    for (const place of [join(first, second, rest), join(first, sha256)]) {
      const packed = readIfThere(join(above, 'blobs', `${place}.blob.gz`))
      const bytes = packed && unpack(packed)
      if (bytes && createHash('sha256').update(bytes).digest('hex') === sha256) return bytes
    }
  }
  return undefined
}

function unpack(packed: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: MOST_BLOB_BYTES })
  } catch {
    return undefined
  }
}
