import { StoreError } from '../../problems/store-error.ts'
import type { Layout } from '../layout.ts'

/** Identifies a file of this package: the letters TBCS. */
export const APPLICATION_ID = 0x54424353

/** Settings of every connection. */
export const CONNECTION_SETTINGS = `
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA mmap_size = 0;
`

/** What an acknowledged append survives: a power cut (`full`), or only the end of its process (`normal`). */
export type Durability = 'normal' | 'full'

/** Settings of a connection that writes. */
export const WRITER_SETTINGS: Readonly<Record<Durability, string>> = {
  normal: 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
  full: 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL',
}

/**
 * The bytes of events are the source of truth. Every other column is derived from them or from their order, or protects them.
 *
 * - The number of a conversation is stored twice, so that the loss of one copy loses no conversation. Its events have keys that begin with that number (`getKey`).
 * - A use of a blob is written with its event and deleted with its conversation; a blob without uses is collected later.
 * - The place of a removed document is not used again, so that lists can continue after it.
 */
const CREATE_TABLES = `
  CREATE TABLE conversations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    seq INTEGER NOT NULL,
    chain BLOB NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    touched INTEGER NOT NULL,
    seal BLOB NOT NULL
  ) STRICT;
  CREATE INDEX conversations_by_touched ON conversations (touched DESC);
  CREATE TABLE conversation_numbers (
    conversation TEXT PRIMARY KEY,
    number INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    key INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    bytes BLOB NOT NULL,
    original BLOB,
    chain BLOB NOT NULL,
    scrubbed_at TEXT,
    scrubbed_sha256 BLOB
  ) STRICT;

  CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    bytes BLOB NOT NULL,
    put_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE blob_pieces (
    sha256 TEXT NOT NULL,
    piece TEXT NOT NULL,
    PRIMARY KEY (sha256, piece)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_pieces_by_piece ON blob_pieces (piece);
  CREATE TABLE blob_uses (
    conversation TEXT NOT NULL,
    seq INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (conversation, seq, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_uses_by_sha256 ON blob_uses (sha256);

  CREATE TABLE documents (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL,
    conversation TEXT,
    at TEXT NOT NULL,
    bytes BLOB NOT NULL,
    sha256 BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX documents_by_id ON documents (collection, id);
  CREATE INDEX documents_by_collection ON documents (collection);
  CREATE INDEX documents_by_state ON documents (collection, state);
  CREATE INDEX documents_by_conversation ON documents (conversation) WHERE conversation IS NOT NULL;

  CREATE VIRTUAL TABLE word_index USING fts5 (words, content = '', contentless_delete = 1);
  CREATE TABLE event_words (
    id INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    seq INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX event_words_by_conversation ON event_words (conversation);
  CREATE TABLE words_known (
    conversation TEXT PRIMARY KEY,
    seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** The layout of this version. Layouts 1 to 6 were never released. */
export const LAYOUT: Layout = { version: 7, create: CREATE_TABLES, changes: {} }

/** Number of keys of each conversation, one after the other. It is more than a conversation will need. */
const KEYS = 2 ** 28

/** Maximum number of events of one conversation. */
export const MAX_EVENTS = KEYS - 1

/** Keys must be integers that JavaScript represents exactly. */
const MAX_CONVERSATIONS = Math.floor(Number.MAX_SAFE_INTEGER / KEYS) - 1

/** SQL for the number of the next conversation. It is also greater than the number in any event whose conversation was lost. */
export const NEXT_NUMBER = `
  1 + max((SELECT coalesce(max(number), 0) FROM conversations), (SELECT coalesce(max(key), 0) / ${KEYS} FROM events))`

/** Computes the key of an event. With it a table needs no index, which every append would have to write. */
export function getKey(number: number, seq: number): number {
  return number * KEYS + Math.min(seq, MAX_EVENTS)
}

/** Returns a number greater than every key of a conversation. */
export function keysEnd(number: number): number {
  return (number + 1) * KEYS
}

/** Throws if a conversation or the store needs more keys than there are. */
export function checkKeys({ id, number }: { id: string; number: number }, seq: number): void {
  if (seq > MAX_EVENTS)
    throw noRoom(id, `${MAX_EVENTS} events of one conversation; begin another one`)
  if (number > MAX_CONVERSATIONS)
    throw noRoom(id, `${MAX_CONVERSATIONS} conversations; begin another file`)
}

function noRoom(id: string, most: string): StoreError {
  const what = `Nothing was appended to conversation ${JSON.stringify(id)}`
  return new StoreError('failed', `${what}: a file can hold at most ${most}.`)
}
