import type { JsonValue } from '@toolblocks/protocol'
import { inflateRawSync } from 'node:zlib'
import { type StoredBlob, getBlob, getBlobPieceHashes } from '../events/blob.ts'
import { openEvent } from '../events/decode-event.ts'
import { putPayloads } from '../events/payloads.ts'
import { type SqlRow, toKeptBlob } from './sql-row.ts'

/** Returns the row of a blob, by its SHA-256; `undefined` if there is no such row. */
type FindBlob = (sha256: string) => SqlRow | undefined

/**
 * Reads an event of a store's file that was not opened as a store, for example because it may be malicious. Returns `undefined` if the bytes are not
 * JSON, or if one of the event's texts is missing. Whether the value is an event is not checked.
 */
export function openStoredEvent(bytes: Uint8Array, findBlob: FindBlob): JsonValue | undefined {
  const { value, payloads } = openEvent(bytes)
  const lost = putPayloads(value, payloads, (sha256) => readStoredBytes(sha256, findBlob))
  return lost ? undefined : value
}

/** Reads a blob of such a file; `undefined` if its bytes do not have the hash. */
export function readStoredBytes(sha256: string, findBlob: FindBlob): Uint8Array | undefined {
  const row = findBlob(sha256)
  if (!row) return undefined
  const kept = toKeptBlob(row)
  const bytes = kept.encoding === 'pieces' ? joinPieces(kept, findBlob) : unpack(kept)
  return bytes && getBlob(bytes).sha256 === sha256 ? bytes : undefined
}

/** Joins the pieces of a blob. Pieces have no pieces themselves, so a list that refers to itself cannot cause an endless loop. */
function joinPieces(kept: StoredBlob, findBlob: FindBlob): Uint8Array | undefined {
  const pieces = getBlobPieceHashes(kept).map((piece) => {
    const row = findBlob(piece)
    return row && unpack(toKeptBlob(row))
  })
  return pieces.every((piece) => piece !== undefined) ? Buffer.concat(pieces) : undefined
}

function unpack({ encoding, bytes, size }: StoredBlob): Uint8Array | undefined {
  try {
    return encoding === 'deflate'
      ? inflateRawSync(bytes, { maxOutputLength: Math.max(size, 1) })
      : bytes
  } catch {
    return undefined
  }
}
