import type { BlobRows } from '../blob-rows.ts'
import { toKeptBlob } from '../sql-row.ts'
import type { PostgresClient } from './postgres-client.ts'

/** Keeps blobs in a table; which event names which stands beside it. */
export function createPostgresBlobs(client: PostgresClient): BlobRows {
  return {
    put: async (blobs, at) => {
      // In one order, so that two hosts never wait for each other.
      const ordered = blobs.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))
      await client.inTransaction('write', async (query) => {
        for (const { sha256, size, encoding, bytes } of ordered)
          await query(
            `INSERT INTO toolblocks_blobs (sha256, size, encoding, bytes, put_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (sha256) DO UPDATE SET put_at = excluded.put_at`,
            [sha256, size, encoding, bytes, at],
          )
      })
    },
    get: async (hashes) => {
      const rows = await client.query(
        'SELECT sha256, size, encoding, bytes FROM toolblocks_blobs WHERE sha256 = ANY($1::text[])',
        [[...hashes]],
      )
      return rows.map(toKeptBlob)
    },
    drop: async (hashes, at) => {
      await client.query(
        `DELETE FROM toolblocks_blobs AS blob WHERE sha256 = ANY($1::text[]) AND put_at <= $2
        AND NOT EXISTS (SELECT 1 FROM toolblocks_blob_uses AS used WHERE used.sha256 = blob.sha256)`,
        [[...hashes], at],
      )
    },
    collect: async (before) => {
      const removed = await client.query(
        `DELETE FROM toolblocks_blobs AS blob WHERE put_at < $1
        AND NOT EXISTS (SELECT 1 FROM toolblocks_blob_uses AS used WHERE used.sha256 = blob.sha256)
        RETURNING 1`,
        [before],
      )
      return removed.length
    },
  }
}
