import { type JsonObject } from '@toolblocks/protocol'
import { type Counts, endTally, startTally, type Tally } from './counts.ts'
import type { FormatName } from '../events/format-name.ts'
import type { DatedImport, ImportedEvent } from './imported-event.ts'
import { importProblem, type ImportProblem } from './import-problem.ts'
import type { SourceRecord } from './records/source-record.ts'

/** A conversation as it was read from a source. */
export interface ReadConversation {
  /** Where it was read: the path of its file. */
  source: string
  format: FormatName
  /** What it is called in a store; the same each time it is read. */
  id: string
  title?: string
  events: readonly DatedImport[]
  /** Counted by the records of the source, not by the events. */
  before: Counts
  /** Bytes of its records. */
  bytes: number
  problems: readonly ImportProblem[]
  /** Bytes that its events name (`metadata.raw`), to be kept with them. */
  named?: readonly Uint8Array[]
}

/** What one record comes to. */
export interface ConvertedRecord {
  events: readonly ImportedEvent[]
  /** Absent: that of the record before. */
  at?: string | undefined
  problems?: readonly ImportProblem[]
}

/** How the records of one conversation are read. */
export interface ReadRecords {
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
  count(record: JsonObject, tally: Tally): void
}

/** Reads records one by one. A record that comes to nothing is kept as it is. */
export function readRecords(read: ReadRecords): ReadConversation {
  const { source, format, id, title, records, convert, count } = read
  const events: DatedImport[] = []
  const problems = [...read.problems]
  const tally = startTally()
  let at = read.startsAt
  let bytes = 0
  for (const [index, record] of records.entries()) {
    // Counted first: what is converted may be changed by it.
    count(record.value, tally)
    const converted = convert(record, index)
    at = converted.at ?? at
    bytes += record.bytes.length
    problems.push(...(converted.problems ?? []))
    for (const [place, event] of converted.events.entries())
      events.push({ event, at, ...(place === 0 && { original: record.bytes }) })
  }
  return {
    source,
    format,
    id,
    ...(title !== undefined && { title }),
    events: tellAbout(events, read),
    before: endTally(tally),
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

/** The record as it is, for a reader that has no event for it. */
export function keepRecord(
  format: FormatName,
  record: JsonObject,
  why?: { index: number; message: string },
): ConvertedRecord {
  const problems = why ? [importProblem(why.index, 'odd-record', why.message)] : []
  return { events: [{ type: 'imported_record', format, record }], problems }
}
