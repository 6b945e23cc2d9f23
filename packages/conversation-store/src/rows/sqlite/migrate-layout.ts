import type { DatabaseSync } from 'node:sqlite'
import {
  type EventRow,
  type ChainHead,
  EMPTY_CHAIN_HEAD,
  getChain,
  equalHash,
  hash,
  hashRow,
  computeSeal,
} from '../event-row.ts'
import {
  ADD_SCRUBBED,
  CREATE_BLOBS_AND_WORDS,
  CREATE_CONVERSATIONS_AND_EVENTS,
  CREATE_DOCUMENTS,
  CREATE_PIECES,
  KEY_OF_ROW,
  LAYOUT_VERSION,
  MAX_EVENTS,
} from './sqlite-schema.ts'
import { type SqlRow, toEventRow, toHead } from '../sql-row.ts'

const ROWS = 200
const NO_HASH = new Uint8Array()

/** Migrates a file of an older layout to the layout of this version, in the caller's transaction. */
export function migrateLayout(database: DatabaseSync, from: number): void {
  if (from < 2) sealHistory(database)
  if (from < 3) database.exec(CREATE_BLOBS_AND_WORDS)
  if (from < 4) database.exec(ADD_SCRUBBED + CREATE_PIECES)
  if (from < 5) numberConversations(database)
  if (from < 6) database.exec(CREATE_DOCUMENTS)
  database.exec(`PRAGMA user_version = ${LAYOUT_VERSION}`)
}

/**
 * Migrates to layout 5, which identifies events by numbers of conversations. If a conversation was lost but its events were not, they get a number
 * too. Damaged data is still detected as damaged afterwards.
 */
function numberConversations(database: DatabaseSync): void {
  database.exec(`
    DROP INDEX conversations_by_touched;
    ALTER TABLE conversations RENAME TO old_conversations;
    ALTER TABLE events RENAME TO old_events;
    ${CREATE_CONVERSATIONS_AND_EVENTS}
    INSERT INTO conversations (id, seq, chain, created_at, updated_at, touched, seal)
      SELECT id, seq, chain, created_at, updated_at, touched, seal FROM old_conversations ORDER BY rowid;
    INSERT INTO conversation_numbers (conversation, number) SELECT id, number FROM conversations;
    INSERT INTO conversation_numbers (conversation, number)
      SELECT id, row_number() OVER (ORDER BY id) + (SELECT coalesce(max(number), 0) FROM conversations)
      FROM (SELECT DISTINCT conversation AS id FROM old_events EXCEPT SELECT id FROM conversations);
    INSERT INTO events (key, conversation, seq, at, bytes, original, sha256, chain, scrubbed_at, scrubbed_sha256)
      SELECT ${KEY_OF_ROW}, conversation, seq, at, bytes, original, sha256, chain, scrubbed_at, scrubbed_sha256
      FROM old_events JOIN conversation_numbers USING (conversation)
      WHERE seq BETWEEN 1 AND ${MAX_EVENTS};
    DROP TABLE old_events;
    DROP TABLE old_conversations;
  `)
}

/**
 * Migrates a file from layout 1 to layout 2, in the caller's transaction. An event that is not as it was written keeps its old hash, and a damaged
 * end gets no seal. So damaged data is still detected as damaged afterwards.
 */
function sealHistory(database: DatabaseSync): void {
  database.exec(`ALTER TABLE conversations ADD COLUMN seal BLOB NOT NULL DEFAULT x''`)
  database.exec('ALTER TABLE events ADD COLUMN original BLOB')
  const conversations = database.prepare(
    'SELECT rowid, * FROM conversations WHERE rowid > ? ORDER BY rowid LIMIT 1',
  )
  const seal = database.prepare('UPDATE conversations SET chain = ?, seal = ? WHERE id = ?')
  for (let row = conversations.get(0); row; row = conversations.get(Number(row['rowid']))) {
    const id = String(row['id'])
    const head = toHead(id, row)
    const { last, oldChain } = rehash(database, id)
    if (last.seq !== head.seq || !equalHash(oldChain, head.chain)) continue
    const sealed = { ...head, chain: last.chain }
    seal.run(sealed.chain, computeSeal(id, sealed), id)
  }
}

/** Gives every event of a conversation its hashes of layout 2. */
function rehash(database: DatabaseSync, id: string): { last: ChainHead; oldChain: Uint8Array } {
  const scan = database.prepare(
    'SELECT seq, at, bytes, sha256, chain FROM events WHERE conversation = ? AND seq > ? ORDER BY seq LIMIT ?',
  )
  const update = database.prepare(
    'UPDATE events SET sha256 = ?, chain = ? WHERE conversation = ? AND seq = ?',
  )
  let last = EMPTY_CHAIN_HEAD
  let oldChain = EMPTY_CHAIN_HEAD.chain
  for (;;) {
    const after = last.seq
    const rows = scan.all(id, after, ROWS).map((row: SqlRow) => toEventRow(row))
    for (const row of rows) {
      const { sha256: old = NO_HASH } = row
      const sha256 = isAsWritten(row, oldChain) ? hashRow(id, row) : old
      oldChain = row.chain
      last = { seq: row.seq, chain: getChain(id, last.chain, { ...row, sha256 }) }
      update.run(sha256, last.chain, id, row.seq)
    }
    // A damaged number may be less than the one before it.
    if (rows.length < ROWS || last.seq <= after) return { last, oldChain }
  }
}

/** Checks by the rule of layout 1: `sha256` of the bytes, and `chain` of the previous chain, the time and that hash. */
function isAsWritten(
  { at, bytes, sha256 = NO_HASH, chain }: EventRow,
  previous: Uint8Array,
): boolean {
  return equalHash(hash(bytes), sha256) && equalHash(hash(previous, at, sha256), chain)
}
