import { basename } from 'node:path'
import { field, type JsonObject } from '@toolblocks/protocol'
import type { FormatName } from '../format-name.ts'
import { keepRecord, readRecords, type ReadConversation } from '../read-conversation.ts'
import { readTime } from '../read-time.ts'
import type { SplitSource } from '../sources/source.ts'
import type { Part } from './part.ts'
import { countParts, partsToEvents } from './parts-to-events.ts'

/** How the messages of a format are found in its records. */
export interface MessageReader {
  format: FormatName
  /** What the source calls the conversation; where that is no text, it is called like its file. */
  id: unknown
  title?: string | undefined
  about?: JsonObject
  /** Empty for a record that says nothing of a conversation. */
  partsOf(record: JsonObject): readonly Part[]
  /** The same for counting, where reading has a memory. Default: `partsOf`. */
  countedOf?(record: JsonObject): readonly Part[]
  /** Fields worth finding beside an event; the record has them all. */
  fieldsOf?(record: JsonObject): JsonObject
}

/** Reads one conversation, record by record. */
export function readMessages(
  { path, document, modifiedAt }: SplitSource,
  { format, id, title, about, partsOf, fieldsOf, countedOf = partsOf }: MessageReader,
): ReadConversation {
  return readRecords({
    source: path,
    format,
    id: `${format}-${typeof id === 'string' ? id : stemOf(path)}`,
    title,
    ...(about && { about }),
    startsAt: modifiedAt,
    records: document.records,
    problems: document.problems,
    convert: ({ value }) => {
      const at = timeOf(value)
      const events = partsToEvents(partsOf(value), fieldsOf?.(value))
      return events.length > 0 ? { events, at } : { ...keepRecord(format, value), at }
    },
    count: (record, tally) => countParts(countedOf(record), tally),
  })
}

const TIMES: readonly string[] = ['timestamp', 'createdAt', 'created_at']

function timeOf(record: JsonObject): string | undefined {
  const name = TIMES.find((each) => Object.hasOwn(record, each))
  return name === undefined ? undefined : readTime(field(record, name))
}

/** The name of a file without its end. */
function stemOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/, '')
}
