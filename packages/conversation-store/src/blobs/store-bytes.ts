import type { BlobRef } from '@toolblocks/protocol'
import type { ConversationStore } from '../conversation-store.ts'
import type { BlobRows } from '../rows/blob-rows.ts'
import { type Blob, blobOf, type KeptBlob, packBlob, unpackBlob } from './blob.ts'
import { keepStream, piecesOf } from './keep-stream.ts'

/** The members of a store that keep bytes beside events. */
export function storeBytes(
  rows: BlobRows,
  now: () => Date,
): Pick<ConversationStore, 'keepBytes' | 'readBytes' | 'collectBytes'> {
  return {
    keepBytes: async (given): Promise<BlobRef> => {
      return await keepStream(rows, given instanceof Uint8Array ? [given] : given, now)
    },
    readBytes: async (sha256) => (await readBlobs(rows, [sha256])).get(sha256),
    collectBytes: async ({ olderThanMs = HOUR_MS } = {}) =>
      await rows.collect(new Date(now().getTime() - olderThanMs).toISOString()),
  }
}

/** In this time a call that has kept its output has ended, and its result names it. */
const HOUR_MS = 3_600_000

/** Keeps blobs, each once, before the events that name them. */
export async function putBlobs(rows: BlobRows, blobs: readonly Blob[], at: string): Promise<void> {
  if (blobs.length === 0) return
  const distinct = new Map(blobs.map((blob) => [blob.sha256, blob]))
  await rows.put(await Promise.all([...distinct.values()].map(packBlob)), at)
}

/** The bytes of blobs by their hash; those that are missing or are not as they were kept are not in it. */
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

/** Pieces are read one after the other into the room of the whole. */
async function joinPieces(rows: BlobRows, list: KeptBlob): Promise<Uint8Array | undefined> {
  const whole = new Uint8Array(list.size)
  let filled = 0
  for (const sha256 of piecesOf(list)) {
    const [kept] = await rows.get([sha256])
    const piece = kept && (await unpackBlob(kept))
    if (!piece || filled + piece.length > whole.length) return undefined
    whole.set(piece, filled)
    filled += piece.length
  }
  return blobOf(whole).sha256 === list.sha256 ? whole : undefined
}
