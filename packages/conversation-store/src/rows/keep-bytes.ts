import { createHash } from 'node:crypto'
import type { BlobRef } from '@toolblocks/protocol'
import {
  type Blob,
  type StoredBlob,
  getBlob,
  packBlob,
  getBlobPieceHashes,
  unpackBlob,
} from '../events/blob.ts'
import type { BlobRows, NewBlobs } from './event-rows.ts'

/** Packs blobs, each once, for an engine to keep. */
export async function packBlobs(blobs: readonly Blob[], time: string): Promise<NewBlobs> {
  const distinct = new Map(blobs.map((blob) => [blob.sha256, blob]))
  return { blobs: await Promise.all([...distinct.values()].map(packBlob)), at: time }
}

/** Returns the bytes of blobs by their hash, without blobs that are missing or changed. */
export async function readBlobs(
  rows: BlobRows,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (hashes.length === 0) return new Map()
  const kept = await rows.get(hashes)
  const unpacked = await Promise.all(
    kept.map(async (blob) => {
      const bytes =
        blob.encoding === 'pieces' ? await joinPieces(rows, blob) : await unpackBlob(blob)
      return [blob.sha256, bytes] as const
    }),
  )
  return new Map(
    unpacked.filter((entry): entry is readonly [string, Uint8Array] => entry[1] !== undefined),
  )
}

/** Reads pieces one after the other into the memory of the complete blob. */
async function joinPieces(rows: BlobRows, list: StoredBlob): Promise<Uint8Array | undefined> {
  const whole = new Uint8Array(list.size)
  let filled = 0
  for (const sha256 of getBlobPieceHashes(list)) {
    const [kept] = await rows.get([sha256])
    const piece = kept && (await unpackBlob(kept))
    if (!piece || filled + piece.length > whole.length) return undefined
    whole.set(piece, filled)
    filled += piece.length
  }
  return getBlob(whole).sha256 === list.sha256 ? whole : undefined
}

/** Maximum number of bytes in memory at once. Longer bytes become pieces of this size. */
export const PIECE_BYTES = 1024 * 1024

/** Stores bytes while they arrive: at most one piece becomes one blob, more become pieces and a list of them. */
export async function keepStream(
  rows: BlobRows,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  now: () => Date,
): Promise<BlobRef> {
  const whole = createHash('sha256')
  const pieces: string[] = []
  const piece = Buffer.alloc(PIECE_BYTES)
  let size = 0
  let filled = 0

  async function keepPiece(): Promise<string> {
    const blob = getBlob(new Uint8Array(piece.subarray(0, filled)))
    filled = 0
    await rows.put([await packBlob(blob)], now().toISOString())
    return blob.sha256
  }

  for await (const chunk of bytes) {
    whole.update(chunk)
    size += chunk.length
    for (let from = 0; from < chunk.length;) {
      if (filled === PIECE_BYTES) pieces.push(await keepPiece())
      const part = chunk.subarray(from, from + PIECE_BYTES - filled)
      piece.set(part, filled)
      filled += part.length
      from += part.length
    }
  }
  pieces.push(await keepPiece())
  const sha256 = whole.digest('hex')
  const list = {
    sha256,
    size,
    encoding: 'pieces',
    bytes: Buffer.from(pieces.join(''), 'hex'),
  } as const
  if (pieces.length > 1) await rows.put([list], now().toISOString())
  return { sha256, bytes: size }
}
