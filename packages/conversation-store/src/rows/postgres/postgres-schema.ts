import { type Layout, getLayoutSteps } from '../layout.ts'
import type { PostgresClient } from './postgres-client.ts'

/**
 * Ids and events are bytes, because text in PostgreSQL cannot contain NUL. Statistics are off for them, because they would keep parts of the
 * conversations. Indexes of documents contain hashes, because an entry of an index has at most a third of a page.
 */
const CREATE_TABLES = `
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
    chain BYTEA NOT NULL,
    scrubbed_at TEXT,
    scrubbed_sha256 BYTEA,
    place BIGINT NOT NULL DEFAULT nextval('toolblocks_places'),
    words TSVECTOR,
    PRIMARY KEY (conversation, seq)
  );
  ALTER TABLE toolblocks_events
    ALTER COLUMN bytes SET STATISTICS 0, ALTER COLUMN original SET STATISTICS 0, ALTER COLUMN words SET STATISTICS 0;
  CREATE INDEX toolblocks_events_by_words ON toolblocks_events USING gin (words);

  CREATE TABLE toolblocks_blobs (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    bytes BYTEA NOT NULL,
    put_at TEXT NOT NULL
  );
  CREATE TABLE toolblocks_blob_pieces (
    sha256 TEXT NOT NULL REFERENCES toolblocks_blobs (sha256) ON DELETE CASCADE,
    piece TEXT NOT NULL,
    PRIMARY KEY (sha256, piece)
  );
  CREATE INDEX toolblocks_blob_pieces_by_piece ON toolblocks_blob_pieces (piece);
  CREATE TABLE toolblocks_blob_uses (
    conversation BYTEA NOT NULL REFERENCES toolblocks_conversations (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (conversation, seq, sha256)
  );
  CREATE INDEX toolblocks_blob_uses_by_sha256 ON toolblocks_blob_uses (sha256);

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
`

/** The layout of this version. Layouts 1 to 4 were never released. */
const LAYOUT: Layout = { version: 5, create: CREATE_TABLES, changes: {} }

/** The lock of hosts that create or change the tables: the letters TBCS. */
const LOCK = 0x54424353

/** Creates the tables, or changes those of an earlier version. If several hosts start together, one of them does it. */
export async function prepareTables(client: PostgresClient, layout = LAYOUT): Promise<void> {
  await client.inTransaction('write', async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await query('CREATE TABLE IF NOT EXISTS toolblocks_layout (version INTEGER NOT NULL)')
    const [row] = await query('SELECT version FROM toolblocks_layout')
    const steps = getLayoutSteps(layout, Number(row?.['version'] ?? 0), 'The database')
    if (steps.length === 0) return
    for (const step of steps) await query(step)
    await query('DELETE FROM toolblocks_layout')
    await query('INSERT INTO toolblocks_layout (version) VALUES ($1)', [layout.version])
  })
}
