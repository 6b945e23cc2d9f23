import type { DatabaseSync } from 'node:sqlite'
import type { FoundEvent, SearchQuery } from '../event-rows.ts'

/** The index of words of a file. */
export interface SqliteSearch {
  /** In the transaction of the append. */
  add(conversation: string, seq: number, words: readonly string[]): void
  /** In the transaction of the delete. */
  remove(conversation: string): void
  find(query: SearchQuery): readonly FoundEvent[]
}

/** Finds events by their words; the texts themselves are kept in the events alone. */
export function prepareSearch(database: DatabaseSync): SqliteSearch {
  const number = database.prepare(
    'INSERT INTO event_words (conversation, seq) VALUES (?, ?) RETURNING id',
  )
  const add = database.prepare('INSERT INTO word_index (rowid, words) VALUES (?, ?)')
  const removeWords = database.prepare(
    'DELETE FROM word_index WHERE rowid IN (SELECT id FROM event_words WHERE conversation = ?)',
  )
  const remove = database.prepare('DELETE FROM event_words WHERE conversation = ?')
  const findAll = database.prepare(findStatement(''))
  const findIn = database.prepare(findStatement('AND conversation = ?'))
  return {
    add: (conversation, seq, words) => {
      if (words.length > 0) add.run(Number(number.get(conversation, seq)?.['id']), words.join(' '))
    },
    remove: (conversation) => {
      removeWords.run(conversation)
      remove.run(conversation)
    },
    find: ({ words, conversation, limit }) => {
      // In quotes a word is a word, whatever the query language knows by it.
      const match = words.map((word) => `"${word}"`).join(' ')
      const rows =
        conversation === undefined
          ? findAll.all(match, limit)
          : findIn.all(match, conversation, limit)
      return rows.map((row) => ({
        conversation: String(row['conversation']),
        seq: Number(row['seq']),
      }))
    },
  }
}

function findStatement(where: '' | 'AND conversation = ?'): string {
  return `
    SELECT conversation, seq FROM word_index JOIN event_words ON event_words.id = word_index.rowid
    WHERE word_index MATCH ? ${where} ORDER BY event_words.id DESC LIMIT ?`
}
