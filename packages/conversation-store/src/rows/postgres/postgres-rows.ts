import { NO_HEAD } from '../event-row.ts'
import type { EventRows } from '../event-rows.ts'
import { planAppend } from '../plan-append.ts'
import { spanOf } from '../row-span.ts'
import { toEventRow } from '../sql-row.ts'
import {
  appendRows,
  readHead,
  rewriteRow,
  toFoundEvent,
  toListed,
} from './postgres-conversations.ts'
import { createPostgresBlobs } from './postgres-blobs.ts'
import type { PostgresClient } from './postgres-client.ts'
import { guardClient } from './postgres-failure.ts'
import { createFollowers, tellAppended } from './postgres-followers.ts'
import { migrate } from './postgres-schema.ts'

const ROWS =
  'SELECT seq, at, bytes, original, sha256, chain, scrubbed_at, scrubbed_sha256 FROM toolblocks_events'

/** Keeps rows in a PostgreSQL database, for several hosts at once. `place` names it in errors, without its password. */
export async function openPostgresRows(
  connected: PostgresClient,
  place: string,
): Promise<EventRows> {
  const client = guardClient(connected, place)
  await migrate(client).catch(async (error: unknown) => {
    await client.close()
    throw error
  })
  const followers = createFollowers(client)
  return {
    append: (conversation, expected, events) =>
      client.inTransaction('write', async (query) => {
        // A row cannot be locked before it is there: writers of one conversation wait for each other by its name.
        const id = Buffer.from(conversation)
        await query(`SELECT pg_advisory_xact_lock(hashtextextended(encode($1, 'hex'), 0))`, [id])
        const head = await readHead(query, conversation)
        const plan = planAppend(conversation, head, { expected, events })
        if (plan.kind !== 'write') return { ok: plan.kind === 'nothing', seq: plan.seq }
        await appendRows(query, id, plan)
        await tellAppended(query, conversation)
        return { ok: true, seq: plan.seq }
      }),
    read: (conversation, range) =>
      client.inTransaction('snapshot', async (query) => {
        const id = Buffer.from(conversation)
        const head = await readHead(query, conversation)
        const { first, last } = spanOf(range, head.seq)
        const rows = await query(
          `${ROWS} WHERE conversation = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq`,
          [id, first, Math.max(last, first - 1)],
        )
        const [before] = await query(
          'SELECT chain FROM toolblocks_events WHERE conversation = $1 AND seq = $2',
          [id, first - 1],
        )
        const chain = before && toEventRow(before).chain
        return { head, previous: first === 1 ? NO_HEAD.chain : chain, rows: rows.map(toEventRow) }
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
    search: async ({ words, conversation, limit }) => {
      const rows = await client.query(
        `SELECT conversation, seq FROM toolblocks_events
        WHERE words @@ plainto_tsquery('simple', $1) AND ($2::bytea IS NULL OR conversation = $2)
        ORDER BY place DESC LIMIT $3`,
        [
          words.join(' '),
          conversation === undefined ? null : Buffer.from(conversation),
          Math.min(limit, Number.MAX_SAFE_INTEGER),
        ],
      )
      return rows.map(toFoundEvent)
    },
    blobs: createPostgresBlobs(client),
    appended: followers.appended,
    rewrite: async (conversation, row) =>
      client.inTransaction('write', (query) => rewriteRow(query, Buffer.from(conversation), row)),
    purge: async () => {
      for (const table of ['events', 'blobs', 'blob_uses', 'blob_pieces', 'conversations'])
        await client.query(`VACUUM (FULL) toolblocks_${table}`)
    },
    delete: async (conversation) => {
      const id = Buffer.from(conversation)
      const removed = await client.query(
        'DELETE FROM toolblocks_conversations WHERE id = $1 RETURNING seq',
        [id],
      )
      return removed.length > 0
    },
    close: async () => {
      followers.close()
      await client.close()
    },
  }
}
