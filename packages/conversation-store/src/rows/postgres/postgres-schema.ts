import { StoreError } from '../../problems/store-error.ts'
import type { PostgresClient, Query } from './postgres-client.ts'

/**
 * The migration to each layout, run once and in order. Ids and events are bytes, because text in PostgreSQL cannot contain NUL. Statistics are off
 * for them, because they would keep parts of the conversations.
 */
const STEPS: readonly string[] = [
  `
  CREATE SEQUENCE toolblocks_places;
  CREATE TABLE toolblocks_conversations (
    id BYTEA PRIMARY KEY,
    seq INTEGER NOT NULL,
    chain BYTEA NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    place BIGINT NOT NULL UNIQUE,
    seal BYTEA NOT NULL
  );
  CREATE TABLE toolblocks_events (
    conversation BYTEA NOT NULL REFERENCES toolblocks_conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    original BYTEA,
    sha256 BYTEA NOT NULL,
    chain BYTEA NOT NULL,
    place BIGINT NOT NULL DEFAULT nextval('toolblocks_places'),
    words TSVECTOR,
    PRIMARY KEY (conversation, seq)
  );
  CREATE INDEX toolblocks_events_by_words ON toolblocks_events USING gin (words);
  CREATE TABLE toolblocks_blobs (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    put_at TEXT NOT NULL
  );
  CREATE TABLE toolblocks_blob_uses (
    conversation BYTEA NOT NULL REFERENCES toolblocks_conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (conversation, seq, sha256)
  );
  CREATE INDEX toolblocks_blob_uses_by_sha256 ON toolblocks_blob_uses (sha256);
  `,
  `
  ALTER TABLE toolblocks_events ADD COLUMN scrubbed_at TEXT;
  ALTER TABLE toolblocks_events ADD COLUMN scrubbed_sha256 BYTEA;
  ALTER TABLE toolblocks_events
    ALTER COLUMN bytes SET STATISTICS 0, ALTER COLUMN original SET STATISTICS 0, ALTER COLUMN words SET STATISTICS 0;
  CREATE TABLE toolblocks_blob_pieces (
    sha256 TEXT NOT NULL REFERENCES toolblocks_blobs (sha256) ON DELETE CASCADE,
    piece TEXT NOT NULL,
    PRIMARY KEY (sha256, piece)
  );
  CREATE INDEX toolblocks_blob_pieces_by_piece ON toolblocks_blob_pieces (piece);
  `,
  'ALTER TABLE toolblocks_events ALTER COLUMN sha256 DROP NOT NULL',
  // The indexes contain hashes, because an entry of an index has at most a third of a page.
  `
  CREATE TABLE toolblocks_documents (
    place BIGINT PRIMARY KEY DEFAULT nextval('toolblocks_places'),
    collection TEXT NOT NULL,
    id BYTEA NOT NULL,
    version BIGINT NOT NULL,
    state BYTEA NOT NULL,
    conversation BYTEA,
    at TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    sha256 BYTEA NOT NULL
  );
  ALTER TABLE toolblocks_documents ALTER COLUMN bytes SET STATISTICS 0;
  CREATE UNIQUE INDEX toolblocks_documents_by_id ON toolblocks_documents (collection, sha256(id));
  CREATE INDEX toolblocks_documents_by_collection ON toolblocks_documents (collection, place);
  CREATE INDEX toolblocks_documents_by_state ON toolblocks_documents (collection, sha256(state), place);
  CREATE INDEX toolblocks_documents_by_conversation ON toolblocks_documents (sha256(conversation), place)
    WHERE conversation IS NOT NULL;
  `,
]

/** The lock of hosts that migrate the tables: the letters TBCS. */
const LOCK = 0x54424353

/** Creates the tables, or migrates those of an older version. If several hosts start together, one of them does it. */
export async function migrate(client: PostgresClient): Promise<void> {
  await client.inTransaction('write', async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await query('CREATE TABLE IF NOT EXISTS toolblocks_layout (version INTEGER NOT NULL)')
    const version = await readVersion(query)
    if (version > STEPS.length) throw newerVersion(version)
    for (const step of STEPS.slice(version)) await query(step)
    if (version === STEPS.length) return
    await query('DELETE FROM toolblocks_layout')
    await query('INSERT INTO toolblocks_layout (version) VALUES ($1)', [STEPS.length])
  })
}

async function readVersion(query: Query): Promise<number> {
  const [row] = await query('SELECT version FROM toolblocks_layout')
  return Number(row?.['version'] ?? 0)
}

function newerVersion(version: number): StoreError {
  const message = `The database was written by a newer version (layout ${version}, this one reads ${STEPS.length}); update toolblocks.`
  return new StoreError('newer-version', message)
}
