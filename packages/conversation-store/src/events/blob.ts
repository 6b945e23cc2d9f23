import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

/** Bytes that are stored once, under their hash. */
export interface Blob {
  /** SHA-256 of `bytes`, 64 lower-case hexadecimal digits. */
  sha256: string
  bytes: Uint8Array
}

/** A blob as an engine keeps it: compressed if that saves enough space. */
export interface StoredBlob {
  /** SHA-256 of the raw bytes, 64 lower-case hexadecimal digits. */
  sha256: string
  /** The number of raw bytes. */
  size: number
  /** What `bytes` contains: the blob itself, the blob compressed by raw deflate, or a list of the blobs that it consists of. */
  encoding: 'raw' | 'deflate' | 'pieces'
  /** For `pieces`: the SHA-256 of each piece, 32 bytes each, one after another. Each piece is itself a blob. */
  bytes: Uint8Array
}

/** Compressed bytes are used only if they are at most this part of the raw bytes. Pictures, for example, are compressed already. */
const WORTH = 0.9
const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

/** Returns the blob of some bytes: the bytes with their hash. */
export function getBlob(bytes: Uint8Array): Blob {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes }
}

/** Prepares a blob for storage. Compresses off the calling thread. */
export async function packBlob({ sha256, bytes }: Blob): Promise<StoredBlob> {
  const size = bytes.length
  const compressed = await compress(bytes)
  return compressed.length <= size * WORTH
    ? { sha256, size, encoding: 'deflate', bytes: compressed }
    : { sha256, size, encoding: 'raw', bytes }
}

/** Returns the raw bytes of a stored blob; `undefined` if their hash is not the stored one. */
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

/** Returns the hashes of a stored blob's pieces, in their order; empty if the blob has no pieces. */
export function getBlobPieceHashes({ encoding, bytes }: StoredBlob): readonly string[] {
  if (encoding !== 'pieces') return []
  const hex = Buffer.from(bytes).toString('hex')
  return hex.match(new RegExp(`.{${2 * HASH_BYTES}}`, 'g')) ?? []
}
