import type { StoredBlob } from '../events/blob.ts'
import { type EventRow, type StoredHead, equalHash, computeSeal } from './event-row.ts'
import type { ConversationSummary } from './event-rows.ts'

/** A row as a driver of SQL gives it; the columns have the same names in every engine. */
export type SqlRow = Readonly<Record<string, unknown>>

/** The head of a conversation, with whether its seal fits. */
export function toHead(conversation: string, row: SqlRow): StoredHead {
  const head = {
    seq: Number(row['seq']),
    chain: toBytes(row['chain']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
  }
  return { ...head, isIntact: equalHash(computeSeal(conversation, head), toBytes(row['seal'])) }
}

export function toEventRow(row: SqlRow): EventRow {
  return {
    seq: Number(row['seq']),
    at: String(row['at']),
    bytes: toBytes(row['bytes']),
    ...(row['original'] instanceof Uint8Array && { original: toBytes(row['original']) }),
    // Either column says so, so that neither can be lost in silence.
    ...((row['scrubbed_at'] != null || row['scrubbed_sha256'] != null) && {
      scrubbed: { at: String(row['scrubbed_at']), sha256: toBytes(row['scrubbed_sha256']) },
    }),
    ...(row['sha256'] instanceof Uint8Array && { sha256: toBytes(row['sha256']) }),
    chain: toBytes(row['chain']),
  }
}

export function toSummary(
  id: string,
  { seq, createdAt, updatedAt }: StoredHead,
): ConversationSummary {
  return { id, events: seq, createdAt, updatedAt }
}

/** The bytes of a column; a driver may give them as a kind of its own. */
export function toBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) return new Uint8Array()
  return value.constructor === Uint8Array
    ? value
    : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/** A blob as it is kept; nothing of it is proven yet. */
export function toKeptBlob(row: SqlRow): StoredBlob {
  const { encoding } = row
  return {
    sha256: String(row['sha256']),
    size: Number(row['size']),
    encoding: encoding === 'deflate' || encoding === 'pieces' ? encoding : 'raw',
    bytes: toBytes(row['bytes']),
  }
}
