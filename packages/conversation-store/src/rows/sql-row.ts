import type { StoredBlob } from '../events/blob.ts'
import type { PlacedDocumentRow } from './document-rows.ts'
import { type EventRow, type StoredHead, equalHash, computeSeal } from './event-row.ts'
import type { ConversationSummary } from './event-rows.ts'

/** A row as an SQL driver returns it. The columns have the same names in every engine. */
export type SqlRow = Readonly<Record<string, unknown>>

/** Converts a row to the head of a conversation, and checks its seal. */
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
    // The number in either column counts, so that the loss of one of them is detected.
    ...((row['scrubbed_at'] != null || row['scrubbed_sha256'] != null) && {
      scrubbed: { at: String(row['scrubbed_at']), sha256: toBytes(row['scrubbed_sha256']) },
    }),
    chain: toBytes(row['chain']),
  }
}

export function toSummary(
  id: string,
  { seq, createdAt, updatedAt }: StoredHead,
): ConversationSummary {
  return { id, events: seq, createdAt, updatedAt }
}

/** Returns the bytes of a column, which a driver may return as its own type. */
export function toBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) return new Uint8Array()
  return value.constructor === Uint8Array
    ? value
    : new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}

/** Converts a row to a document, which is not verified yet. Texts that may contain NUL are columns of bytes. */
export function toDocumentRow(row: SqlRow): PlacedDocumentRow {
  const { conversation } = row
  return {
    position: Number(row['place']),
    collection: String(row['collection']),
    id: toText(row['id']),
    version: Number(row['version']),
    state: toText(row['state']),
    ...(conversation != null && { conversation: toText(conversation) }),
    at: String(row['at']),
    bytes: toBytes(row['bytes']),
    sha256: toBytes(row['sha256']),
  }
}

/** Returns the text of a column of bytes. */
export function toText(value: unknown): string {
  return Buffer.from(toBytes(value)).toString()
}

/** Converts a row to a stored blob. The blob is not verified yet. */
export function toKeptBlob(row: SqlRow): StoredBlob {
  const { encoding } = row
  return {
    sha256: String(row['sha256']),
    size: Number(row['size']),
    encoding: encoding === 'deflate' || encoding === 'pieces' ? encoding : 'raw',
    bytes: toBytes(row['bytes']),
  }
}
