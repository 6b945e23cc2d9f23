import type { KeptBlob } from '../blobs/blob.ts'

/** Keeps blobs by their hash. The pieces of one are named by it (`piecesOf`), as events name blobs. Which events name one is told with the events (`EventBytes.blobs`). */
export interface BlobRows {
  /**
   * Keeps those that are not there yet; of the others, and of the pieces of one, `at` becomes the time they were put. All at once, or none: none where a
   * piece is not there, which is an error.
   */
  put(blobs: readonly KeptBlob[], at: string): Promise<void>
  /** Those there are, in any order. */
  get(hashes: readonly string[]): Promise<readonly KeptBlob[]>
  /** Removes those that no event names and that were put at `at` or before. */
  drop(hashes: readonly string[], at: string): Promise<void>
  /** Removes what no event names and was put before a time; answers how many. Others may put and append meanwhile. */
  collect(before: string): Promise<number>
}
