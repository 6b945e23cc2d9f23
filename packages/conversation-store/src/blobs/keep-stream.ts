import { createHash } from 'node:crypto'
import type { BlobRef } from '@toolblocks/protocol'
import type { BlobRows } from '../rows/blob-rows.ts'
import { blobOf, type KeptBlob, packBlob } from './blob.ts'

/** Bytes that are in memory at once; what is longer becomes pieces of this size. */
export const PIECE_BYTES = 1024 * 1024

/** Keeps bytes as they come: those that fit are one blob, others are pieces and a list of them. */
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
    const blob = blobOf(new Uint8Array(piece.subarray(0, filled)))
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
  if (pieces.length > 1) await rows.put([listOf(sha256, size, pieces)], now().toISOString())
  return { sha256, bytes: size }
}

/** What is kept of bytes that are in pieces. */
function listOf(sha256: string, size: number, pieces: readonly string[]): KeptBlob {
  return { sha256, size, encoding: 'pieces', bytes: Buffer.from(pieces.join(''), 'hex') }
}

const HASH_BYTES = 32

/** The hashes of the pieces of a kept blob, in their order; none where it is whole. */
export function piecesOf({ encoding, bytes }: KeptBlob): readonly string[] {
  if (encoding !== 'pieces') return []
  const hex = Buffer.from(bytes).toString('hex')
  return hex.match(new RegExp(`.{${2 * HASH_BYTES}}`, 'g')) ?? []
}
