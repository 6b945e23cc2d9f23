import { buffer } from 'node:stream/consumers'
import type { BlobRef } from '@toolblocks/protocol'
import type { ConversationStore } from '../conversation-store.ts'
import type { BlobRows } from '../rows/blob-rows.ts'
import { type Blob, blobOf, packBlob, unpackBlob } from './blob.ts'

/** The members of a store that keep bytes beside events. */
export function storeBytes(
  rows: BlobRows,
  now: () => Date,
): Pick<ConversationStore, 'keepBytes' | 'readBytes' | 'collectBytes'> {
  return {
    keepBytes: async (given): Promise<BlobRef> => {
      const blob = blobOf(given instanceof Uint8Array ? given : await buffer(given))
      await putBlobs(rows, [blob], now().toISOString())
      return { sha256: blob.sha256, bytes: blob.bytes.length }
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
    kept.map(async (blob) => [blob.sha256, await unpackBlob(blob)] as const),
  )
  return new Map(
    unpacked.filter((entry): entry is readonly [string, Uint8Array] => entry[1] !== undefined),
  )
}
