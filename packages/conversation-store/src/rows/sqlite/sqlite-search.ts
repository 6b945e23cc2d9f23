import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import { readText, selectText } from './sqlite-values.ts'
import { inflateRawSync } from 'node:zlib'
import type { StoredBlob } from '../../events/blob.ts'
import { decodeEvent, openEvent } from '../../events/decode-event.ts'
import { putPayloads } from '../../events/payloads.ts'
import { getEventText, getWords } from '../../events/event-text.ts'
import type { FoundEvent, SearchQuery } from '../event-rows.ts'
import { type SqlRow, toBytes } from '../sql-row.ts'
import { inTransaction } from './transaction.ts'
import { getKey, keysEnd } from './sqlite-schema.ts'
import type { SqliteBlobs } from './sqlite-blobs.ts'

/** The word index of a file. It is updated by searches, so appends do not have to write it. */
export interface SqliteSearch {
  /** Indexes some of the events that are not indexed yet. Returns whether there are more. */
  indexMore(blobs: SqliteBlobs): boolean
  find(query: SearchQuery): readonly FoundEvent[]
  /** Removes a conversation. Runs in the transaction of the delete. */
  remove(conversation: string): void
  /** Empties the index, so that all events are indexed again. Without this, an index keeps removed words until it is rewritten. */
  forget(): void
}

/** Number of events that are indexed at once, which takes some ten milliseconds. */
const SLICE = 100

/** Finds events by their words. The index does not contain the texts, which only the events have. */
export function prepareSearch(database: DatabaseSync): SqliteSearch {
  const behind = database.prepare(`
    SELECT conversations.number AS number, ${selectText('conversations.id', 'id')}, coalesce(words_known.seq, 0) AS known, conversations.seq AS last, touched
    FROM conversations LEFT JOIN words_known ON words_known.conversation = conversations.id
    WHERE touched >= ? AND conversations.seq > coalesce(words_known.seq, 0) ORDER BY touched LIMIT ?`)
  const scan = database.prepare(
    'SELECT seq, bytes FROM events WHERE key > ? AND key < ? ORDER BY key LIMIT ?',
  )
  const know = database.prepare(`
    INSERT INTO words_known (conversation, seq) VALUES (?, ?)
    ON CONFLICT (conversation) DO UPDATE SET seq = excluded.seq`)
  const insertEvent = database.prepare(
    'INSERT INTO event_words (conversation, seq) VALUES (?, ?) RETURNING id',
  )
  const add = database.prepare('INSERT INTO word_index (rowid, words) VALUES (?, ?)')
  const removals = [
    'DELETE FROM word_index WHERE rowid IN (SELECT id FROM event_words WHERE conversation = ?)',
    'DELETE FROM event_words WHERE conversation = ?',
    'DELETE FROM words_known WHERE conversation = ?',
  ].map((sql) => database.prepare(sql))
  const forgetAll = [
    `INSERT INTO word_index (word_index) VALUES ('delete-all')`,
    'DELETE FROM event_words',
    'DELETE FROM words_known',
  ].map((sql) => database.prepare(sql))
  const findAll = database.prepare(findStatement(''))
  const findIn = database.prepare(
    findStatement('AND conversation IN (SELECT value FROM json_each(?))'),
  )
  /** From which time on conversations may have events that are not indexed. */
  let from = 0

  /** Indexes the next events of a conversation, at most so many. Returns how many there were. */
  function indexConversation(
    next: Record<string, SQLOutputValue>,
    most: number,
    blobs: SqliteBlobs,
  ): number {
    const id = readText(next['id'])
    const number = Number(next['number'])
    const rows = scan.all(getKey(number, Number(next['known'])), keysEnd(number), most)
    for (const row of rows) {
      const terms = readWords(row, blobs)
      const seq = Number(row['seq'])
      if (terms.length > 0) add.run(Number(insertEvent.get(id, seq)?.['id']), terms.join(' '))
    }
    // If rows are missing, the rest of the conversation cannot be indexed.
    const last = rows.length < most ? next['last'] : rows.at(-1)?.['seq']
    know.run(id, Number(last))
    return rows.length
  }

  return {
    indexMore: (blobs) => {
      // What was touched before is indexed, unless a transaction has failed.
      if (!behind.get(from, 1)) {
        if (from === 0) return false
        from = 0
        return behind.get(from, 1) !== undefined
      }
      return inTransaction(database, 'IMMEDIATE', () => {
        let left = SLICE
        for (const next of behind.all(from, SLICE)) {
          from = Number(next['touched'])
          left -= indexConversation(next, left, blobs)
          if (left <= 0) break
        }
        return true
      })
    },
    find: ({ terms, conversations, limit }) => {
      // Quotes prevent that a word is read as an operator of the query language.
      const match = terms.map((word) => `"${word}"`).join(' ')
      const rows =
        conversations === undefined
          ? findAll.all(match, limit)
          : findIn.all(match, JSON.stringify(conversations), limit)
      return rows.map((row) => ({
        conversation: readText(row['conversation']),
        seq: Number(row['seq']),
      }))
    },
    forget: () => {
      from = 0
      for (const statement of forgetAll) statement.run()
    },
    remove: (conversation) => {
      for (const removal of removals) removal.run(conversation)
    },
  }
}

function findStatement(where: string): string {
  return `
    SELECT ${selectText('conversation')}, seq FROM word_index JOIN event_words ON event_words.id = word_index.rowid
    WHERE word_index MATCH ? ${where} ORDER BY event_words.id DESC LIMIT ?`
}

/** Returns the words of an event's row; empty if it cannot be read, which a read of the event reports. */
function readWords(row: SqlRow, blobs: SqliteBlobs): readonly string[] {
  try {
    const { value, payloads } = openEvent(toBytes(row['bytes']))
    // Blobs of bytes, such as pictures, contain no words and are not decompressed.
    const texts = payloads.filter(({ as }) => as === 'text')
    const known = new Map(
      blobs.get(texts.map(({ sha256 }) => sha256)).map((blob) => [blob.sha256, blob]),
    )
    putPayloads(value, texts, (sha256) => inflate(known.get(sha256)))
    const decoded = decodeEvent(value)
    return decoded.ok ? getWords(getEventText(decoded.event)) : []
  } catch {
    return []
  }
}

function inflate(blob: StoredBlob | undefined): Uint8Array | undefined {
  if (blob?.encoding === 'pieces') return undefined
  if (blob?.encoding !== 'deflate') return blob?.bytes
  return inflateRawSync(blob.bytes, { maxOutputLength: Math.max(blob.size, 1) })
}
