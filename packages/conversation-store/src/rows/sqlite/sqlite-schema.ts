import { StoreError } from '../../problems/store-error.ts'

/** Marks a file as ours: the letters TBCS. */
export const APPLICATION_ID = 0x54424353

/** The layout this version writes. */
export const LAYOUT_VERSION = 5

/** For every connection. */
export const CONNECTION_SETTINGS = `
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA mmap_size = 0;
`

/** What an acknowledged append survives: a power cut too, or the end of its process. */
export type Durability = 'normal' | 'full'

/** For a connection that writes. */
export const WRITER_SETTINGS: Readonly<Record<Durability, string>> = {
  normal: 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
  full: 'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL',
}

/** Of layout 3: blobs, and words to find events by. A use is written with its event and goes with its conversation; a blob without uses is collected later. */
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

/** Of layout 4: which value was taken out of an event when, and the pieces of bytes that came as a stream. */
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
 * Of layout 5: conversations by number, and events by key (`event-key.ts`); only those of before have a `sha256`. The number of a
 * conversation is kept twice, so that none is lost with one of the two.
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

/** Bytes are the truth; every other column is derived from them or from their order, or guards them. */
export const CREATE_TABLES = `
  ${CREATE_CONVERSATIONS_AND_EVENTS}
  ${CREATE_BLOBS_AND_WORDS}
  ${CREATE_PIECES}
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${LAYOUT_VERSION};
`

/** Each conversation has as many keys, one after the other: more than it will have events. */
const KEYS = 2 ** 28

/** What one conversation can have. */
export const MAX_EVENTS = KEYS - 1

/** Keys are numbers that JavaScript knows exactly. */
const MAX_CONVERSATIONS = Math.floor(Number.MAX_SAFE_INTEGER / KEYS) - 1

/** SQL for the number of the next conversation: greater than that of any event, too, whose conversation was lost. */
export const NEXT_NUMBER = `
  1 + max((SELECT coalesce(max(number), 0) FROM conversations), (SELECT coalesce(max(key), 0) / ${KEYS} FROM events))`

/** SQL for the key of an event from the columns `number` and `seq`. */
export const KEY_OF_ROW = `number * ${KEYS} + seq`

/** The key of an event. With it a table needs no index beside it, which every append would have to write. */
export function getKey(number: number, seq: number): number {
  return number * KEYS + Math.min(seq, MAX_EVENTS)
}

/** Greater than every key of a conversation. */
export function keysEnd(number: number): number {
  return (number + 1) * KEYS
}

/** Throws where a conversation or the store would have more than there are keys for. */
export function checkKeys({ id, number }: { id: string; number: number }, seq: number): void {
  if (seq > MAX_EVENTS)
    throw noRoom(id, `${MAX_EVENTS} events of one conversation; begin another one`)
  if (number > MAX_CONVERSATIONS)
    throw noRoom(id, `${MAX_CONVERSATIONS} conversations; begin another file`)
}

function noRoom(id: string, most: string): StoreError {
  const what = `Nothing was appended to conversation ${JSON.stringify(id)}`
  return new StoreError('failed', `${what}: a file has room for ${most}.`)
}
