import { readRecords, keepRecord, type ReadConversation } from '../read-conversation.ts'
import { parseInner } from '../records/parse-bounded.ts'
import type { SourceRecord } from '../records/source-record.ts'
import { readTime } from '../read-time.ts'
import type { Source } from '../sources/source.ts'
import { hasColumns, type SqliteSource, withoutBytes } from '../sqlite/sqlite-source.ts'
import { convertEvent, countEvent } from './convert-event.ts'

/** The database of Lace up to 2025: threads of events, whose data is JSON text. */
export function isLaceDatabase(database: SqliteSource): boolean {
  return (
    hasColumns(database, 'threads', ['id']) &&
    hasColumns(database, 'events', ['id', 'thread_id', 'type', 'timestamp', 'data'])
  )
}

/** Reads every thread. Events of one millisecond stand in the order they were written. */
export function readLaceDatabase(
  database: SqliteSource,
  { path, modifiedAt }: Pick<Source, 'path' | 'modifiedAt'>,
): readonly ReadConversation[] {
  const columnsOf = (table: string): readonly string[] => database.tables.get(table)?.held ?? []
  const threads = database.all({ table: 'events', columns: ['thread_id'], once: {} })
  return threads.map((thread) => {
    const id = String(thread['thread_id'])
    const rows = database.all({
      table: 'events',
      columns: columnsOf('events'),
      where: { thread_id: id },
      order: ['timestamp', 'rowid'],
    })
    const [about] = database.all({
      table: 'threads',
      columns: columnsOf('threads'),
      where: { id },
    })
    return readRecords({
      source: path,
      format: 'lace-sqlite',
      id: `lace-${id}`,
      about: { thread: withoutBytes(about ?? {}) },
      startsAt: modifiedAt,
      records: rows.map((row): SourceRecord => {
        const record = withoutBytes(row)
        return { value: record, bytes: Buffer.from(JSON.stringify(record)) }
      }),
      problems: [],
      convert: ({ value }) => {
        const at = readTime(value['timestamp'])
        const event = convertEvent(value['type'], dataOf(value['data']))
        return event ? { events: [event], at } : { ...keepRecord('lace-sqlite', value), at }
      },
      count: (record, tally) => countEvent(record['type'], dataOf(record['data']), tally),
    })
  })
}

/** What is no JSON text is a text. */
function dataOf(data: unknown): unknown {
  const parsed = typeof data === 'string' ? parseInner(data) : undefined
  return parsed === undefined ? data : parsed
}
