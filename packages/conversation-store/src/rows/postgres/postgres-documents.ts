import { type DocumentRows, createChangeCheck, getDocumentName } from '../document-rows.ts'
import { toBytes, toDocumentRow, toText } from '../sql-row.ts'
import type { PostgresClient, Query } from './postgres-client.ts'
import { type PostgresFollowers, changeAndNotify, notifyFollowers } from './postgres-followers.ts'

const WHERE = 'WHERE collection = $1 AND sha256(id) = sha256($2)'

/** Keeps documents in a table. A write is one statement, so it is atomic between hosts. */
export function createPostgresDocuments(
  { query }: PostgresClient,
  followers: PostgresFollowers,
): DocumentRows {
  return {
    read: async (collection, id) => {
      const [row] = await query(`SELECT * FROM toolblocks_documents ${WHERE}`, [
        collection,
        Buffer.from(id),
      ])
      return row && toDocumentRow(row)
    },
    list: async ({ collection, state, conversation, after, limit }) => {
      // The server plans each statement with its values, so absent conditions do not hinder an index.
      const rows = await query(
        `SELECT * FROM toolblocks_documents
        WHERE place > $1 AND ($2::text IS NULL OR collection = $2)
          AND ($3::bytea IS NULL OR sha256(state) = sha256($3))
          AND ($4::bytea IS NULL OR sha256(conversation) = sha256($4))
        ORDER BY place LIMIT $5`,
        [after, collection ?? null, toBytesOrNull(state), toBytesOrNull(conversation), limit],
      )
      return rows.map(toDocumentRow)
    },
    write: async ({ collection, id, version, state, conversation, at, bytes, sha256 }) => {
      const key = [collection, Buffer.from(id), version]
      const which = [Buffer.from(state), toBytesOrNull(conversation)]
      const values = [...key, ...which, at, bytes, sha256]
      const statement =
        version === 1
          ? `INSERT INTO toolblocks_documents (collection, id, version, state, conversation, at, bytes, sha256)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING 1`
          : `UPDATE toolblocks_documents
            SET version = $3, state = $4, conversation = $5, at = $6, bytes = $7, sha256 = $8
            ${WHERE} AND version = $3::bigint - 1 RETURNING 1`
      return await changeAndNotify(query, getDocumentName(collection, id), [statement, values])
    },
    remove: async (collection, id, version) =>
      await changeAndNotify(query, getDocumentName(collection, id), [
        `DELETE FROM toolblocks_documents ${WHERE} AND version = $3 RETURNING 1`,
        [collection, Buffer.from(id), version],
      ]),
    changed: async (collection, id, version, signal) => {
      const hasChanged = createChangeCheck(version, async () => {
        const [row] = await query(`SELECT version, sha256 FROM toolblocks_documents ${WHERE}`, [
          collection,
          Buffer.from(id),
        ])
        return row && { version: Number(row['version']), sha256: toBytes(row['sha256']) }
      })
      await followers.wait(getDocumentName(collection, id), signal, hasChanged)
    },
  }
}

function toBytesOrNull(text: string | undefined): Buffer | null {
  return text === undefined ? null : Buffer.from(text)
}

/** Removes the documents of a conversation, in the transaction of its delete. */
export async function removeDocuments(query: Query, conversation: string): Promise<void> {
  const removed = await query(
    `DELETE FROM toolblocks_documents WHERE sha256(conversation) = sha256($1) RETURNING collection, id`,
    [Buffer.from(conversation)],
  )
  const names = removed.map((row) => getDocumentName(String(row['collection']), toText(row['id'])))
  if (names.length > 0) await notifyFollowers(query, names)
}
