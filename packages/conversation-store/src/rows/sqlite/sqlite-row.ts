import type { EventRow } from '../event-row.ts'
import type { ConversationSummary } from '../event-rows.ts'
import { equalHash } from '../event-row.ts'
import { type KeptHead, sealOf } from '../kept-head.ts'

/** A row as the driver gives it. */
export type SqliteRow = Readonly<Record<string, unknown>>

/** The head of a conversation, with whether its seal fits. */
export function toHead(conversation: string, row: SqliteRow): KeptHead {
  const head = {
    seq: Number(row['seq']),
    chain: toBytes(row['chain']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
  }
  return { ...head, isIntact: equalHash(sealOf(conversation, head), toBytes(row['seal'])) }
}

export function toEventRow(row: SqliteRow): EventRow {
  return {
    seq: Number(row['seq']),
    at: String(row['at']),
    bytes: toBytes(row['bytes']),
    ...(row['original'] instanceof Uint8Array && { original: row['original'] }),
    sha256: toBytes(row['sha256']),
    chain: toBytes(row['chain']),
  }
}

export function toSummary(
  id: string,
  { seq, createdAt, updatedAt }: KeptHead,
): ConversationSummary {
  return { id, events: seq, createdAt, updatedAt }
}

export const toBytes = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array()
