import { damagedEvent } from '../../store-error.ts'
import type { EventRow } from '../event-row.ts'
import type { FoundEvent, ListedConversation } from '../event-rows.ts'
import { type KeptHead, NOTHING_KEPT } from '../kept-head.ts'
import type { AppendPlan } from '../plan-append.ts'
import { type SqlRow, toBytes, toHead, toSummary } from '../sql-row.ts'
import type { Query } from './postgres-client.ts'

/** What is kept of a conversation beside its events. */
export async function readHead(query: Query, conversation: string): Promise<KeptHead> {
  const [row] = await query(
    'SELECT seq, chain, created_at, updated_at, seal FROM toolblocks_conversations WHERE id = $1',
    [Buffer.from(conversation)],
  )
  return row ? toHead(conversation, row) : NOTHING_KEPT
}

/** Writes rows and their end, in the transaction of the append. */
export async function appendRows(
  query: Query,
  id: Uint8Array,
  {
    rows,
    seal,
    head: { seq, chain, createdAt, updatedAt },
  }: Extract<AppendPlan, { kind: 'write' }>,
): Promise<void> {
  await query(
    `INSERT INTO toolblocks_conversations (id, seq, chain, created_at, updated_at, seal, place)
    VALUES ($1, $2, $3, $4, $5, $6, nextval('toolblocks_places'))
    ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, chain = excluded.chain,
      updated_at = excluded.updated_at, seal = excluded.seal, place = excluded.place`,
    [id, seq, chain, createdAt, updatedAt, seal],
  )
  await query(
    `INSERT INTO toolblocks_events (conversation, seq, at, bytes, original, chain, words)
    SELECT $1, seq, at, bytes, original, chain, to_tsvector('simple', words)
    FROM unnest($2::integer[], $3::text[], $4::bytea[], $5::bytea[], $6::bytea[], $7::text[])
      AS added (seq, at, bytes, original, chain, words)`,
    [
      id,
      rows.map((row) => row.seq),
      rows.map((row) => row.at),
      rows.map((row) => toBuffer(row.bytes)),
      rows.map((row) => (row.original ? toBuffer(row.original) : null)),
      rows.map((row) => toBuffer(row.chain)),
      rows.map((row) => row.words?.().join(' ') ?? null),
    ],
  )
  const uses = rows.flatMap((row) => (row.blobs ?? []).map((sha256) => ({ seq: row.seq, sha256 })))
  if (uses.length === 0) return
  await query(
    `INSERT INTO toolblocks_blob_uses (conversation, seq, sha256)
    SELECT $1, * FROM unnest($2::integer[], $3::text[]) ON CONFLICT DO NOTHING`,
    [id, uses.map((use) => use.seq), uses.map((use) => use.sha256)],
  )
}

/** Puts a row in the place of the one with its `chain`, with the blobs that it names now. */
export async function rewriteRow(
  query: Query,
  id: Uint8Array,
  { seq, bytes, original, scrubbed, chain, blobs = [], words }: EventRow,
): Promise<void> {
  const [found] = await query(
    `UPDATE toolblocks_events SET bytes = $4, original = $5, scrubbed_at = $6, scrubbed_sha256 = $7,
      words = to_tsvector('simple', $8)
    WHERE conversation = $1 AND seq = $2 AND chain = $3 RETURNING seq`,
    [
      id,
      seq,
      chain,
      bytes,
      original ?? null,
      scrubbed?.at ?? null,
      scrubbed?.sha256 ?? null,
      words?.().join(' ') ?? null,
    ],
  )
  if (!found) return
  await query('DELETE FROM toolblocks_blob_uses WHERE conversation = $1 AND seq = $2', [id, seq])
  await query(
    `INSERT INTO toolblocks_blob_uses (conversation, seq, sha256)
    SELECT $1, $2, * FROM unnest($3::text[]) ON CONFLICT DO NOTHING`,
    [id, seq, [...new Set(blobs)]],
  )
}

/** Where an event is. */
export function toFoundEvent(row: SqlRow): FoundEvent {
  return {
    conversation: Buffer.from(toBytes(row['conversation'])).toString(),
    seq: Number(row['seq']),
  }
}

/** A conversation of a list; what is kept of it must be as it was written. */
export function toListed(row: SqlRow): ListedConversation {
  const id = Buffer.from(toBytes(row['id'])).toString()
  const head = toHead(id, row)
  if (!head.isIntact) throw damagedEvent(id, head.seq, 'what is kept beside its events has changed')
  return { ...toSummary(id, head), place: Number(row['place']) }
}

/** In an array the driver writes only its own kind of bytes as bytes. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
