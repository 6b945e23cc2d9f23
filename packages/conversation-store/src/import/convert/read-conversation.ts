import type { JsonObject } from '@toolblocks/protocol'
import type { ConversationEvent, UnknownEvent } from '../../events/conversation-event.ts'
import type { FormatName } from '../../events/format-name.ts'
import { type ImportProblem, type SourceRecord } from '../records/records.ts'

/** A conversation as it was read from a source. */
export interface ReadConversation {
  /** Where it was read: the path of its file. */
  source: string
  format: FormatName
  /** What it is called in a store; the same each time it is read. */
  id: string
  title?: string
  events: readonly DatedImport[]
  /** Of its events, before they are in a store. */
  before: ConversationCounts
  /** Bytes of its records. */
  bytes: number
  problems: readonly ImportProblem[]
  /** Bytes that its events name (`metadata.raw`), to be kept with them. */
  named?: readonly Uint8Array[]
}

/** What one record comes to. */
export interface ConvertedRecord {
  /** Empty: the record is kept as it is. */
  events: readonly ImportedEvent[]
  /** Absent: that of the record before. */
  at?: string | undefined
  problems?: readonly ImportProblem[]
}

/** How the records of one conversation are read. */
interface ReadRecords {
  source: string
  format: FormatName
  id: string
  title?: string | undefined
  /** What the source says of the conversation: beside its first event. */
  about?: JsonObject
  /** The time of records before the first that has one: ISO 8601. */
  startsAt: string
  records: readonly SourceRecord[]
  /** What was found broken before. */
  problems: readonly ImportProblem[]
  convert(record: SourceRecord, index: number): ConvertedRecord
}

/** Reads records one by one. A record that comes to nothing is kept as it is. */
export function readRecords(read: ReadRecords): ReadConversation {
  const { source, format, id, title, records, convert } = read
  const events: DatedImport[] = []
  const problems = [...read.problems]
  let at = read.startsAt
  let bytes = 0
  for (const [index, record] of records.entries()) {
    const converted = convert(record, index)
    const kept: ImportedRecord = { type: 'imported_record', format, record: record.value }
    const made = converted.events.length > 0 ? converted.events : [kept]
    at = converted.at ?? at
    bytes += record.bytes.length
    problems.push(...(converted.problems ?? []))
    for (const [place, event] of made.entries())
      events.push({ event, at, ...(place === 0 && { original: record.bytes }) })
  }
  return {
    source,
    format,
    id,
    ...(title !== undefined && { title }),
    events: tellAbout(events, read),
    before: countEvents(events.map(({ event }) => event)),
    bytes,
    problems,
  }
}

function tellAbout(
  events: readonly DatedImport[],
  { title, about }: Pick<ReadRecords, 'title' | 'about'>,
): readonly DatedImport[] {
  const told = { ...(title !== undefined && { title }), ...about }
  const [first, ...rest] = events
  if (!first || Object.keys(told).length === 0) return events
  const imported = { ...first.event.imported, about: told }
  return [{ ...first, event: { ...first.event, imported } }, ...rest]
}

/** A record that no event stands for, as it was. A store reads it as an event of a type it does not know. */
export interface ImportedRecord {
  type: 'imported_record'
  format: FormatName
  record: JsonObject
}

/** What an event has beside it because it was imported. */
export interface ImportDetails {
  /** On the first event: what the source says of the conversation, its title for example. */
  about?: JsonObject
  /** Fields of the record that an event has no place for. */
  fields?: JsonObject
  /** Strings that were base64 in the record and are decoded in the event: JSON Pointers into the record. */
  decoded?: readonly string[]
  /** Strings that would be base64 and are none: kept as they were. JSON Pointers into the record. */
  undecoded?: readonly string[]
}

/** An event made from a record of another system. */
export type ImportedEvent = (ConversationEvent | ImportedRecord) & { imported?: ImportDetails }

/** An event with its time, and the bytes of its record. */
export interface DatedImport {
  event: ImportedEvent
  /** ISO 8601. */
  at: string
  /** Absent behind the first event of a record. */
  original?: Uint8Array
}

/** How much of each kind a conversation has. */
export interface ConversationCounts {
  /** Messages of people. */
  userMessages: number
  /** Without those that are reasoning alone. */
  assistantMessages: number
  /** Of tools. */
  calls: number
  /** Of calls. */
  results: number
  /** Of the results. */
  errors: number
  /** Of tools, to a person or a model. */
  questions: number
  /** Also those that declined or cancelled. */
  answers: number
  /** Recorded starts of turns; where there are none, the messages of people. */
  turns: number
  /** Changes of model, instructions or tools. */
  configurations: number
  /** Records that no event stands for: kept as they are. */
  unknown: number
}

/** Counts events, those of a store and those that are on their way there. */
export function countEvents(events: Iterable<ImportedEvent | UnknownEvent>): ConversationCounts {
  const counts: ConversationCounts = {
    userMessages: 0,
    assistantMessages: 0,
    calls: 0,
    results: 0,
    errors: 0,
    questions: 0,
    answers: 0,
    turns: 0,
    configurations: 0,
    unknown: 0,
  }
  for (const event of events) countEvent(counts, event)
  return { ...counts, turns: counts.turns === 0 ? counts.userMessages : counts.turns }
}

function countEvent(counts: ConversationCounts, event: ImportedEvent | UnknownEvent): void {
  switch (event.type) {
    case 'turn_start':
      counts.turns += 1
      return
    case 'user_message':
      counts.userMessages += 1
      return
    case 'assistant_message':
      if (event.content.length > 0 || event.data !== undefined) counts.assistantMessages += 1
      return
    case 'tool_call':
      counts.calls += 1
      return
    case 'tool_result':
      counts.results += 1
      if (event.result.isError) counts.errors += 1
      return
    case 'question':
      counts.questions += 1
      return
    case 'answer':
      counts.answers += 1
      return
    case 'configuration':
      counts.configurations += 1
      return
    case 'approval':
    case 'delivery':
    case 'compaction':
    case 'rewind':
      return
    case 'imported_record':
    case 'unknown':
    default:
      // Also a type that only a newer version knows.
      counts.unknown += 1
  }
}

/** Numbers above it are milliseconds since 1970, below it seconds. */
const FIRST_MILLISECONDS = 1e11

/** Reads a time as systems write it: ISO 8601, also with a blank for the `T` and without an offset (UTC), or a number since 1970. */
export function readTime(value: unknown): string | undefined {
  const time =
    typeof value === 'number'
      ? new Date(Math.abs(value) > FIRST_MILLISECONDS ? value : value * 1000)
      : typeof value === 'string'
        ? new Date(withOffset(value))
        : undefined
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined
}

function withOffset(text: string): string {
  const plain = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(text)
  return plain ? `${plain[1]}T${plain[2]}Z` : text
}
