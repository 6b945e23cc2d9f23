import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

/** Bytes that are kept once, by what they are. */
export interface Blob {
  /** SHA-256 of `bytes`, 64 lower-case hexadecimal digits. */
  sha256: string
  bytes: Uint8Array
}

/** A blob as an engine keeps it: smaller where that is worth the work. */
export interface StoredBlob {
  /** Of the raw bytes. */
  sha256: string
  /** How many raw bytes there are. */
  size: number
  /** What `bytes` are: the blob as it is, compressed by raw deflate, or a list of the blobs it is made of. */
  encoding: 'raw' | 'deflate' | 'pieces'
  /** Of `pieces` the SHA-256 of each, 32 bytes after 32 bytes; each is a blob of its own. */
  bytes: Uint8Array
}

/** Compressed bytes must be this part of the raw ones, or they are not worth it: pictures are compressed already. */
const WORTH = 0.9
const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

/** Names bytes by their hash. */
export function getBlob(bytes: Uint8Array): Blob {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes }
}

/** Makes a blob ready to be kept; compresses off the calling thread. */
export async function packBlob({ sha256, bytes }: Blob): Promise<StoredBlob> {
  const size = bytes.length
  const compressed = await compress(bytes)
  return compressed.length <= size * WORTH
    ? { sha256, size, encoding: 'deflate', bytes: compressed }
    : { sha256, size, encoding: 'raw', bytes }
}

/** The raw bytes of a kept blob; `undefined` where they are not those that were kept. */
export async function unpackBlob(kept: StoredBlob): Promise<Uint8Array | undefined> {
  const bytes = await inflate(kept).catch(() => undefined)
  return bytes && getBlob(bytes).sha256 === kept.sha256 ? bytes : undefined
}

async function inflate({ encoding, bytes, size }: StoredBlob): Promise<Uint8Array> {
  return encoding !== 'deflate'
    ? bytes
    : await decompress(bytes, { maxOutputLength: Math.max(size, 1) })
}

const HASH_BYTES = 32

/** The hashes of the pieces of a kept blob, in their order; none where it is whole. */
export function getBlobPieceHashes({ encoding, bytes }: StoredBlob): readonly string[] {
  if (encoding !== 'pieces') return []
  const hex = Buffer.from(bytes).toString('hex')
  return hex.match(new RegExp(`.{${2 * HASH_BYTES}}`, 'g')) ?? []
}
