import { type ListPlace, PLACES, getListPlace } from '../list-place.ts'
import { type StoredBlob, getBlobPieceHashes } from '../../events/blob.ts'
import { damagedEvent, lostPiece } from '../../problems/store-error.ts'
import {
  type AppendPlan,
  type StoredHead,
  EMPTY_STORED_HEAD,
  EMPTY_CHAIN_HEAD,
  hasMovedOn,
  planAppend,
} from '../event-row.ts'
import {
  type BlobRows,
  type EventRows,
  type FoundEvent,
  type ListedConversation,
  type NewBlobs,
  type RowChange,
  NO_PUT,
  resolveRowRange,
} from '../event-rows.ts'
import { type SqlRow, toEventRow, toHead, toKeptBlob, toSummary, toText } from '../sql-row.ts'
import { type PostgresClient, type Query, guardClient } from './postgres-client.ts'
import { createPostgresDocuments, removeDocuments } from './postgres-documents.ts'
import { createFollowers, notifyFollowers } from './postgres-followers.ts'
import { prepareTables } from './postgres-schema.ts'

/** The tables with data of conversations. */
const TABLES = ['events', 'blobs', 'blob_uses', 'blob_pieces', 'documents', 'conversations']

const ROWS =
  'SELECT seq, at, bytes, original, chain, scrubbed_at, scrubbed_sha256 FROM toolblocks_events'

/** Keeps rows in a PostgreSQL database, for several hosts at once. `name` is its name in errors, without the password. */
export async function openPostgresRows(
  connected: PostgresClient,
  name: string,
): Promise<EventRows> {
  const client = guardClient(connected, name)
  await prepareTables(client).catch(async (error: unknown) => {
    await client.close()
    throw error
  })
  const followers = createFollowers(client)
  return {
    append: (conversation, expected, events, kept) =>
      client.inTransaction('write', async (query) => {
        const id = Buffer.from(conversation)
        await lockConversation(query, id)
        const head = await readHead(query, conversation)
        const plan = planAppend(conversation, head, { expected, events })
        if (plan.kind !== 'write') return { ok: plan.kind === 'nothing', seq: plan.seq }
        if (plan.rows.some((row) => (row.blobs ?? []).length > 0)) await lockBlobs(query, 'use')
        await putUsedBlobs(query, kept)
        await appendRows(query, id, plan, await takePlace(query, getListPlace(events, kept.at)))
        await notifyFollowers(query, [conversation])
        return { ok: true, seq: plan.seq }
      }),
    read: (conversation, range) =>
      client.inTransaction('snapshot', async (query) => {
        const id = Buffer.from(conversation)
        const head = await readHead(query, conversation)
        const { first, last } = resolveRowRange(range, head.seq)
        const rows = await query(
          `${ROWS} WHERE conversation = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`,
          [id, first, Math.max(last, first - 1)],
        )
        const [before] = await query(
          'SELECT chain FROM toolblocks_events WHERE conversation = $1 AND seq = $2',
          [id, first - 1],
        )
        const chain = before && toEventRow(before).chain
        return {
          head,
          previous: first === 1 ? EMPTY_CHAIN_HEAD.chain : chain,
          rows: rows.map(toEventRow),
        }
      }),
    scan: (conversation, after, limit) =>
      client.inTransaction('snapshot', async (query) => {
        const rows = await query(
          `${ROWS} WHERE conversation = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
          [Buffer.from(conversation), after, limit],
        )
        return { head: await readHead(query, conversation), rows: rows.map(toEventRow) }
      }),
    list: async ({ limit, below }) => {
      const rows = await client.query(
        `SELECT id, seq, chain, created_at, updated_at, seal, place FROM toolblocks_conversations
        WHERE place < $1 ORDER BY place DESC LIMIT $2`,
        [Math.min(below, Number.MAX_SAFE_INTEGER), Math.min(limit, Number.MAX_SAFE_INTEGER)],
      )
      return rows.map(toListed)
    },
    search: async ({ terms, conversations, limit }) => {
      const rows = await client.query(
        `SELECT conversation, seq FROM toolblocks_events
        WHERE words @@ plainto_tsquery('simple', $1) AND ($2::bytea[] IS NULL OR conversation = ANY($2))
        ORDER BY place DESC LIMIT $3`,
        [
          terms.join(' '),
          conversations?.map((id) => Buffer.from(id)) ?? null,
          Math.min(limit, Number.MAX_SAFE_INTEGER),
        ],
      )
      return rows.map(toFoundEvent)
    },
    blobs: createPostgresBlobs(client),
    documents: createPostgresDocuments(client, followers),
    appended: async (conversation, last, signal) =>
      await followers.wait(conversation, signal, async () =>
        hasMovedOn(await readHead(client.query, conversation), last),
      ),
    rewrite: async (conversation, change) =>
      client.inTransaction('write', (query) =>
        rewriteRow(query, Buffer.from(conversation), change),
      ),
    purge: async () => {
      for (const table of TABLES) await client.query(`VACUUM (FULL) toolblocks_${table}`)
    },
    delete: async (conversation) => {
      const id = Buffer.from(conversation)
      return await client.inTransaction('write', async (query) => {
        await lockConversation(query, id)
        await removeDocuments(query, conversation)
        const removed = await query(
          'DELETE FROM toolblocks_conversations WHERE id = $1 RETURNING seq',
          [id],
        )
        if (removed.length > 0) await notifyFollowers(query, [conversation])
        return removed.length > 0
      })
    },
    close: async () => {
      followers.close()
      await client.close()
    },
  }
}

/** Makes other writers of a conversation wait until the transaction ends. A row cannot be locked before it exists, so they lock its name. */
async function lockConversation(query: Query, id: Uint8Array): Promise<void> {
  await query(`SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))`, [id])
}

/** The lock of blobs: the letters TBCB. */
const BLOBS_LOCK = 0x54424342

/**
 * Keeps blobs from being removed while events begin to refer to them. Users do not wait for each other. The lock is a statement of its own, because
 * a statement sees only what was committed before it began.
 */
async function lockBlobs(query: Query, purpose: 'use' | 'remove'): Promise<void> {
  const lock = purpose === 'use' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock'
  await query(`SELECT ${lock}($1)`, [BLOBS_LOCK])
}

/** Reads the data of a conversation that is stored beside its events. */
async function readHead(query: Query, conversation: string): Promise<StoredHead> {
  const [row] = await query(
    'SELECT seq, chain, created_at, updated_at, seal FROM toolblocks_conversations WHERE id = $1',
    [Buffer.from(conversation)],
  )
  return row ? toHead(conversation, row) : EMPTY_STORED_HEAD
}

/** Writes rows and the new head, in the transaction of the append. */
/** The lock of writers that take a place in the list: the letters TBCP. */
const PLACES_LOCK = 0x54424350

/** Returns a free place for a conversation in the list, which no other writer takes before the end of the transaction. */
async function takePlace(query: Query, { kind, from }: ListPlace): Promise<number> {
  await query('SELECT pg_advisory_xact_lock($1)', [PLACES_LOCK])
  const [row] =
    kind === 'latest'
      ? await query(
          'SELECT GREATEST(coalesce(max(place), 0) + 1, $1::bigint) AS place FROM toolblocks_conversations',
          [from],
        )
      : await query(
          `WITH wanted AS (SELECT $1::bigint + nextval('toolblocks_places') % $2::bigint AS place)
          SELECT CASE
            WHEN NOT EXISTS (SELECT 1 FROM toolblocks_conversations AS one WHERE one.place = wanted.place)
            THEN wanted.place
            ELSE (
              SELECT min(one.place) + 1 FROM toolblocks_conversations AS one
              WHERE one.place >= wanted.place AND NOT EXISTS (
                SELECT 1 FROM toolblocks_conversations AS other WHERE other.place = one.place + 1))
          END AS place FROM wanted`,
          [from, PLACES],
        )
  return Number(row?.['place'])
}

async function appendRows(
  query: Query,
  id: Uint8Array,
  {
    rows,
    seal,
    head: { seq, chain, createdAt, updatedAt },
  }: Extract<AppendPlan, { kind: 'write' }>,
  position: number,
): Promise<void> {
  await query(
    `INSERT INTO toolblocks_conversations (id, seq, chain, created_at, updated_at, seal, place)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, chain = excluded.chain,
      updated_at = excluded.updated_at, seal = excluded.seal, place = excluded.place`,
    [id, seq, chain, createdAt, updatedAt, seal, position],
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
      rows.map((row) => row.terms?.().join(' ') ?? null),
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

/** Replaces the row with the same `chain` and content, and the blobs to which it refers. */
async function rewriteRow(
  query: Query,
  id: Uint8Array,
  { was, row: { seq, bytes, original, scrubbed, chain, blobs = [], terms }, kept }: RowChange,
): Promise<boolean> {
  await lockConversation(query, id)
  await lockBlobs(query, 'use')
  const [updated] = await query(
    `UPDATE toolblocks_events SET bytes = $4, original = $5, scrubbed_at = $6, scrubbed_sha256 = $7,
      words = to_tsvector('simple', $8)
    WHERE conversation = $1 AND seq = $2 AND chain = $3 AND bytes = $9 AND original IS NOT DISTINCT FROM $10
    RETURNING seq`,
    [
      id,
      seq,
      chain,
      bytes,
      original ?? null,
      scrubbed?.at ?? null,
      scrubbed?.sha256 ?? null,
      terms?.().join(' ') ?? null,
      was.bytes,
      was.original ?? null,
    ],
  )
  if (!updated) return false
  await putUsedBlobs(query, kept)
  await query('DELETE FROM toolblocks_blob_uses WHERE conversation = $1 AND seq = $2', [id, seq])
  await query(
    `INSERT INTO toolblocks_blob_uses (conversation, seq, sha256)
    SELECT $1, $2, * FROM unnest($3::text[]) ON CONFLICT DO NOTHING`,
    [id, seq, [...new Set(blobs)]],
  )
  return true
}

/** Returns the place of an event. */
function toFoundEvent(row: SqlRow): FoundEvent {
  return {
    conversation: toText(row['conversation']),
    seq: Number(row['seq']),
  }
}

/** Converts a row to a listed conversation. Its head must be as it was written. */
function toListed(row: SqlRow): ListedConversation {
  const id = toText(row['id'])
  const head = toHead(id, row)
  if (!head.isIntact) throw damagedEvent(id, head.seq, 'the data beside its events has changed')
  return { ...toSummary(id, head), position: Number(row['place']) }
}

/** Converts bytes to a `Buffer`, the only kind that the driver writes as bytes in an array. */
function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Keeps blobs in a table, and beside it which event refers to which blob. */
function createPostgresBlobs(client: PostgresClient): BlobRows {
  return {
    put: async (blobs, time) =>
      await client.inTransaction('write', async (query) => {
        await lockBlobs(query, 'use')
        await putBlobs(query, blobs, { time, existing: 'renewed' })
      }),
    get: async (hashes) => {
      const rows = await client.query(
        'SELECT sha256, size, encoding, bytes FROM toolblocks_blobs WHERE sha256 = ANY($1::text[])',
        [[...hashes]],
      )
      return rows.map(toKeptBlob)
    },
    unused: async ({ after, limit }) => {
      const rows = await client.query(
        `SELECT sha256 FROM toolblocks_blobs AS blob WHERE sha256 COLLATE "C" > $1 ${UNUSED}
        ORDER BY sha256 COLLATE "C" LIMIT $2`,
        [after, limit],
      )
      return rows.map((row) => String(row['sha256']))
    },
    drop: async (hashes, { from, to }) =>
      client.inTransaction('write', async (query) => {
        await lockBlobs(query, 'remove')
        const pieces = await query(
          'SELECT piece FROM toolblocks_blob_pieces WHERE sha256 = ANY($1::text[])',
          [[...hashes]],
        )
        for (const names of [[...hashes], pieces.map((row) => String(row['piece']))])
          await query(
            `DELETE FROM toolblocks_blobs AS blob
            WHERE sha256 = ANY($1::text[]) AND NOT (put_at > $2 AND put_at <= $3) ${UNUSED}`,
            [names, from, to],
          )
      }),
    collect: async (before) =>
      client.inTransaction('write', async (query) => {
        await lockBlobs(query, 'remove')
        const collect = `DELETE FROM toolblocks_blobs AS blob WHERE put_at < $1 ${UNUSED} RETURNING 1`
        const removed = await query(collect, [before])
        // The pieces of the removed blobs.
        await query(collect, [before])
        return removed.length
      }),
  }
}

/** Keeps the blobs of events, in the transaction that writes the events. */
async function putUsedBlobs(query: Query, { blobs }: NewBlobs): Promise<void> {
  await putBlobs(query, blobs, { time: NO_PUT, existing: 'unchanged' })
}

/** Keeps blobs, in the caller's transaction. */
async function putBlobs(
  query: Query,
  blobs: readonly StoredBlob[],
  { time, existing }: { time: string; existing: 'renewed' | 'unchanged' },
): Promise<void> {
  const conflict = existing === 'renewed' ? 'UPDATE SET put_at = excluded.put_at' : 'NOTHING'
  // Sorted, so that two hosts cannot wait for each other.
  for (const blob of blobs.toSorted((one, other) => (one.sha256 < other.sha256 ? -1 : 1))) {
    const { sha256, size, encoding, bytes } = blob
    await query(
      `INSERT INTO toolblocks_blobs (sha256, size, encoding, bytes, put_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (sha256) DO ${conflict}`,
      [sha256, size, encoding, bytes, time],
    )
    if (encoding === 'pieces') await addPieces(query, blob, time)
  }
}

/** Blobs to which neither an event nor another blob refers. */
const UNUSED = `
  AND NOT EXISTS (SELECT 1 FROM toolblocks_blob_uses AS used WHERE used.sha256 = blob.sha256)
  AND NOT EXISTS (SELECT 1 FROM toolblocks_blob_pieces AS listed WHERE listed.piece = blob.sha256)`

/** Records the pieces of a blob, which must exist, and gives them the same time. */
async function addPieces(query: Query, blob: StoredBlob, time: string): Promise<void> {
  const pieces = [...new Set(getBlobPieceHashes(blob))].toSorted()
  const touched = await query(
    'UPDATE toolblocks_blobs SET put_at = $1 WHERE sha256 = ANY($2::text[]) RETURNING 1',
    [time, pieces],
  )
  if (touched.length < pieces.length) throw lostPiece(blob.sha256)
  await query(
    `INSERT INTO toolblocks_blob_pieces (sha256, piece) SELECT $1, * FROM unnest($2::text[])
    ON CONFLICT DO NOTHING`,
    [blob.sha256, pieces],
  )
}
