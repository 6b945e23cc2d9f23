import { StoreError } from '../../problems/store-error.ts'

/** Identifies a file of this package: the letters TBCS. */
export const APPLICATION_ID = 0x54424353

/** The layout that this version writes. */
export const LAYOUT_VERSION = 6

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
 * Added in layout 3: blobs, and words by which events are found. A use is written with its event and deleted with its conversation; a blob without
 * uses is collected later.
 */
export const CREATE_BLOBS_AND_WORDS = `
  CREATE TABLE blobs (
    sha256 TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    encoding TEXT NOT NULL,
    bytes BLOB NOT NULL,
    put_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE blob_uses (
    conversation TEXT NOT NULL,
    seq INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (conversation, seq, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_uses_by_sha256 ON blob_uses (sha256);
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
  CREATE VIRTUAL TABLE word_index USING fts5 (words, content = '', contentless_delete = 1);
`

/** Added in layout 4: when a value was scrubbed from an event, and the pieces of streamed bytes. */
export const ADD_SCRUBBED = `
  ALTER TABLE events ADD COLUMN scrubbed_at TEXT;
  ALTER TABLE events ADD COLUMN scrubbed_sha256 BLOB;
`

export const CREATE_PIECES = `
  CREATE TABLE blob_pieces (
    sha256 TEXT NOT NULL,
    piece TEXT NOT NULL,
    PRIMARY KEY (sha256, piece)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blob_pieces_by_piece ON blob_pieces (piece);
`

/**
 * Added in layout 5: conversations by number, and events by key (`getKey`). Only older events have a `sha256`. The number of a conversation is
 * stored twice, so that the loss of one copy loses no conversation.
 */
export const CREATE_CONVERSATIONS_AND_EVENTS = `
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
    sha256 BLOB,
    chain BLOB NOT NULL,
    scrubbed_at TEXT,
    scrubbed_sha256 BLOB
  ) STRICT;
`

/** Added in layout 6: documents. The place of a removed one is not used again, so that lists can continue after it. */
export const CREATE_DOCUMENTS = `
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
`

/** The bytes of events are the source of truth. Every other column is derived from them or from their order, or protects them. */
export const CREATE_TABLES = `
  ${CREATE_CONVERSATIONS_AND_EVENTS}
  ${CREATE_BLOBS_AND_WORDS}
  ${CREATE_PIECES}
  ${CREATE_DOCUMENTS}
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${LAYOUT_VERSION};
`

/** Number of keys of each conversation, one after the other. It is more than a conversation will need. */
const KEYS = 2 ** 28

/** Maximum number of events of one conversation. */
export const MAX_EVENTS = KEYS - 1

/** Keys must be integers that JavaScript represents exactly. */
const MAX_CONVERSATIONS = Math.floor(Number.MAX_SAFE_INTEGER / KEYS) - 1

/** SQL for the number of the next conversation. It is also greater than the number in any event whose conversation was lost. */
export const NEXT_NUMBER = `
  1 + max((SELECT coalesce(max(number), 0) FROM conversations), (SELECT coalesce(max(key), 0) / ${KEYS} FROM events))`

/** SQL for the key of an event from the columns `number` and `seq`. */
export const KEY_OF_ROW = `number * ${KEYS} + seq`

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
