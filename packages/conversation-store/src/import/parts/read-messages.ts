import { basename } from 'node:path'
import { field, type JsonObject } from '@toolblocks/protocol'
import type { FormatName } from '../../events/format-name.ts'
import { keepRecord, readRecords, type ReadConversation } from '../read-conversation.ts'
import { readTime } from '../read-time.ts'
import type { SplitSource } from '../sources/source.ts'
import type { Part, Spoken } from './part.ts'
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
  /** What no event has a place for. */
  fieldsOf?(record: JsonObject): JsonObject
  /** Which model spoke, and what that took. What a message took is told for one record of it. */
  spokenOf?(record: JsonObject): Spoken
  /** When it happened. Default: `timestamp`, `createdAt` or `created_at`. */
  timeOf?(record: JsonObject): string | undefined
}

/** What a source says of a conversation, under the names that every format has for it. */
export interface AboutConversation {
  /** The folder that was worked in: an absolute path. */
  folder?: unknown
  model?: unknown
  gitBranch?: unknown
  /** Of the program. */
  version?: unknown
}

/** The texts of what is known. */
export function aboutOf(known: AboutConversation): JsonObject {
  return Object.fromEntries(
    Object.entries(known).filter(([, value]) => typeof value === 'string' && value !== ''),
  )
}

/** A record without the fields that an event stands for, and without what is nothing, false or an empty list. */
export function restOf(record: JsonObject, told: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) =>
        !told.has(name) &&
        value !== null &&
        value !== undefined &&
        value !== false &&
        !(Array.isArray(value) && value.length === 0),
    ),
  )
}

/** Reads one conversation, record by record. */
export function readMessages(
  { path, document, modifiedAt }: Pick<SplitSource, 'path' | 'document' | 'modifiedAt'>,
  reader: MessageReader,
): ReadConversation {
  const { format, id, title, about, partsOf, fieldsOf, spokenOf } = reader
  const { countedOf = partsOf, timeOf = timeOfRecord } = reader
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
      const events = partsToEvents(partsOf(value), fieldsOf?.(value), spokenOf?.(value))
      return events.length > 0 ? { events, at } : { ...keepRecord(format, value), at }
    },
    count: (record, tally) => countParts(countedOf(record), tally),
  })
}

const TIMES: readonly string[] = ['timestamp', 'createdAt', 'created_at']

function timeOfRecord(record: JsonObject): string | undefined {
  const name = TIMES.find((each) => Object.hasOwn(record, each))
  return name === undefined ? undefined : readTime(field(record, name))
}

/** The name of a file without its end. */
function stemOf(path: string): string {
  return basename(path).replace(/\.[^.]+$/, '')
}
