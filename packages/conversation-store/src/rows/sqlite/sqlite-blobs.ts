import type { DatabaseSync } from 'node:sqlite'
import { getBlobPieceHashes, type StoredBlob } from '../../events/blob.ts'
import { lostPiece } from '../../problems/store-error.ts'
import { toBlob } from './sqlite-values.ts'
import { inTransaction } from './transaction.ts'
import { type NewBlobs, type TimeSpan, NO_PUT } from '../event-rows.ts'
import { toKeptBlob } from '../sql-row.ts'

/** The operations on a file's blobs, each in one step. */
export interface SqliteBlobs {
  /** Keeps blobs for a later event. Runs in the caller's transaction. */
  put(blobs: readonly StoredBlob[], time: string): void
  /** Keeps the blobs of events. Runs in the transaction that writes the events. */
  putUsed(kept: NewBlobs): void
  get(hashes: readonly string[]): readonly StoredBlob[]
  unused(page: { after: string; limit: number }): readonly string[]
  collect(before: string): number
  drop(hashes: readonly string[], during: TimeSpan): void
  /** Records the uses of an event. Runs in the transaction of the append. */
  use(conversation: string, seq: number, hashes: readonly string[]): void
  /** Removes the uses of a conversation, or of one event. Runs in the transaction of the delete. */
  release(conversation: string, seq?: number): void
}

/** Blobs to which neither an event nor another blob refers. */
const UNUSED = `
  AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.sha256 = blobs.sha256)
  AND NOT EXISTS (SELECT 1 FROM blob_pieces WHERE blob_pieces.piece = blobs.sha256)`

/** Keeps blobs in a table, and beside it which event refers to which blob. */
export function prepareBlobs(database: DatabaseSync): SqliteBlobs {
  const put = database.prepare(`
    INSERT INTO blobs (sha256, size, encoding, bytes, put_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (sha256) DO UPDATE SET put_at = excluded.put_at`)
  const putUsed = database.prepare(`
    INSERT INTO blobs (sha256, size, encoding, bytes, put_at) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (sha256) DO NOTHING`)
  const get = database.prepare('SELECT sha256, size, encoding, bytes FROM blobs WHERE sha256 = ?')
  const touch = database.prepare('UPDATE blobs SET put_at = ? WHERE sha256 = ?')
  const findUnused = database.prepare(
    `SELECT sha256 FROM blobs WHERE sha256 > ? ${UNUSED} ORDER BY sha256 LIMIT ?`,
  )
  const addPiece = database.prepare(
    'INSERT OR IGNORE INTO blob_pieces (sha256, piece) VALUES (?, ?)',
  )
  const findPieces = database.prepare('SELECT piece FROM blob_pieces WHERE sha256 = ?')
  const forgetPieces = database.prepare(`
    DELETE FROM blob_pieces WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.sha256 = blob_pieces.sha256)`)
  const collect = database.prepare(`DELETE FROM blobs WHERE put_at < ? ${UNUSED}`)
  const drop = database.prepare(
    `DELETE FROM blobs WHERE sha256 = ? AND NOT (put_at > ? AND put_at <= ?) ${UNUSED}`,
  )
  const use = database.prepare(
    'INSERT OR IGNORE INTO blob_uses (conversation, seq, sha256) VALUES (?, ?, ?)',
  )
  const release = database.prepare('DELETE FROM blob_uses WHERE conversation = ?')
  const releaseEvent = database.prepare('DELETE FROM blob_uses WHERE conversation = ? AND seq = ?')
  return {
    put: (blobs, time) => {
      for (const blob of blobs) {
        for (const piece of getBlobPieceHashes(blob)) {
          if (Number(touch.run(time, piece).changes) === 0) throw lostPiece(blob.sha256)
          addPiece.run(blob.sha256, piece)
        }
        const { sha256, size, encoding, bytes } = blob
        put.run(sha256, size, encoding, toBlob(bytes), time)
      }
    },
    putUsed: ({ blobs }) => {
      for (const { sha256, size, encoding, bytes } of blobs)
        putUsed.run(sha256, size, encoding, toBlob(bytes), NO_PUT)
    },
    get: (hashes) =>
      hashes.flatMap((sha256) => {
        const row = get.get(sha256)
        return row ? [toKeptBlob(row)] : []
      }),
    unused: ({ after, limit }) => findUnused.all(after, limit).map((row) => String(row['sha256'])),
    collect: (before) =>
      inTransaction(database, 'IMMEDIATE', () => {
        const removed = Number(collect.run(before).changes)
        forgetPieces.run()
        // The pieces of the removed blobs.
        collect.run(before)
        return removed
      }),
    use: (conversation, seq, hashes) => {
      for (const sha256 of hashes) use.run(conversation, seq, sha256)
    },
    release: (conversation, seq) =>
      void (seq === undefined ? release.run(conversation) : releaseEvent.run(conversation, seq)),
    drop: (hashes, { from, to }) => {
      const pieces = hashes.flatMap((sha256) =>
        findPieces.all(sha256).map((row) => String(row['piece'])),
      )
      for (const sha256 of hashes) drop.run(sha256, from, to)
      forgetPieces.run()
      for (const sha256 of pieces) drop.run(sha256, from, to)
    },
  }
}
