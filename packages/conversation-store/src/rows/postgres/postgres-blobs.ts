import { type KeptBlob, piecesOf } from '../../events/blob.ts'
import { lostPiece } from '../../problems/store-error.ts'
import type { BlobRows } from '../event-rows.ts'
import { toKeptBlob } from '../sql-row.ts'
import type { PostgresClient, Query } from './postgres-client.ts'

/** Keeps blobs in a table; which event names which stands beside it. */
export function createPostgresBlobs(client: PostgresClient): BlobRows {
  return {
    put: async (blobs, at) => {
      // In one order, so that two hosts never wait for each other.
      const ordered = blobs.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))
      await client.inTransaction('write', async (query) => {
        for (const blob of ordered) {
          const { sha256, size, encoding, bytes } = blob
          await query(
            `INSERT INTO toolblocks_blobs (sha256, size, encoding, bytes, put_at) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (sha256) DO UPDATE SET put_at = excluded.put_at`,
            [sha256, size, encoding, bytes, at],
          )
          if (encoding === 'pieces') await addPieces(query, blob, at)
        }
      })
    },
    get: async (hashes) => {
      const rows = await client.query(
        'SELECT sha256, size, encoding, bytes FROM toolblocks_blobs WHERE sha256 = ANY($1::text[])',
        [[...hashes]],
      )
      return rows.map(toKeptBlob)
    },
    drop: async (hashes, at) =>
      client.inTransaction('write', async (query) => {
        const found = await query(
          'SELECT piece FROM toolblocks_blob_pieces WHERE sha256 = ANY($1::text[])',
          [[...hashes]],
        )
        for (const names of [[...hashes], found.map((row) => String(row['piece']))])
          await query(
            `DELETE FROM toolblocks_blobs AS blob WHERE sha256 = ANY($1::text[]) AND put_at <= $2 ${UNUSED}`,
            [names, at],
          )
      }),
    collect: async (before) =>
      client.inTransaction('write', async (query) => {
        const collect = `DELETE FROM toolblocks_blobs AS blob WHERE put_at < $1 ${UNUSED} RETURNING 1`
        const removed = await query(collect, [before])
        // The pieces of those that are gone.
        await query(collect, [before])
        return removed.length
      }),
  }
}

/** What no event names, nor a blob as its piece. */
const UNUSED = `
  AND NOT EXISTS (SELECT 1 FROM toolblocks_blob_uses AS used WHERE used.sha256 = blob.sha256)
  AND NOT EXISTS (SELECT 1 FROM toolblocks_blob_pieces AS listed WHERE listed.piece = blob.sha256)`

/** Names the pieces of a blob, which are there, and as new as it. */
async function addPieces(query: Query, blob: KeptBlob, at: string): Promise<void> {
  const pieces = [...new Set(piecesOf(blob))].toSorted()
  const touched = await query(
    'UPDATE toolblocks_blobs SET put_at = $1 WHERE sha256 = ANY($2::text[]) RETURNING 1',
    [at, pieces],
  )
  if (touched.length < pieces.length) throw lostPiece(blob.sha256)
  await query(
    `INSERT INTO toolblocks_blob_pieces (sha256, piece) SELECT $1, * FROM unnest($2::text[])
    ON CONFLICT DO NOTHING`,
    [blob.sha256, pieces],
  )
}
