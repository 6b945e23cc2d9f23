import type { FormatName, UnknownEvent } from '@toolblocks/conversation-store'
import type { JsonObject } from '@toolblocks/protocol'
import {
  type ImportProblem,
  type SourceRecord,
  addBytes,
  importProblem,
} from '../records/records.ts'
import { type ImportedEvent, type ImportedRecord, createWayBack } from './imported-event.ts'
import { shareTexts } from '../records/texts-on-demand.ts'
import { repairMedia } from './repair-media.ts'
import { type Leaf, type RecordPlace, createBranches } from './place-branches.ts'

/** A conversation that was read from a source. */
export interface ReadConversation {
  /** The path of the file from which it was read. */
  source: string
  format: FormatName
  /** Its id in a store. It is the same each time the conversation is read. */
  id: string
  title?: string
  events: readonly DatedImport[]
  /** Counts of its events, before they are in a store. */
  before: ConversationCounts
  /** Number of bytes of its records. */
  bytes: number
  problems: readonly ImportProblem[]
  /** Bytes to which its events refer (`metadata.raw`), to be kept with them. */
  rawOutputs?: readonly Uint8Array[]
}

/** The result of converting one record. */
export interface ConvertedRecord {
  /** Empty: the record is kept unchanged. */
  events: readonly ImportedEvent[]
  /** Default: the time of the record before. */
  at?: string | undefined
  problems?: readonly ImportProblem[]
  /** Where the record is, in a format whose programs can go back. Default: after the record before, whatever branch that is in. */
  recordPlace?: RecordPlace | undefined
  /** Whether the record says that the calls before it which have no result were interrupted. Default: `false`. */
  isInterruption?: boolean
}

/** How the records of one conversation are read. */
interface ReadRecords {
  source: string
  format: FormatName
  id: string
  title?: string | undefined
  /** What the source states about the conversation. It is added to the first event. */
  about?: JsonObject
  /** When the conversation began, if the source states it: ISO 8601. */
  startedAt?: string | undefined
  /** When the file was last written: ISO 8601. It is the time of a conversation without any other time. */
  modifiedAt: string
  records: readonly SourceRecord[]
  /** The record after which the program would continue, if the source states it. Default: the last one. */
  leaf?: Leaf | undefined
  /** Problems that were found before the records are read. */
  problems: readonly ImportProblem[]
  /** Called for each record that was converted, with the number of its bytes. */
  onRecord?: ((bytes: number) => void) | undefined
  /** Converts a record: to one part, or to one for each message inside of it. */
  convert(record: SourceRecord, index: number): ConvertedRecord | readonly ConvertedRecord[]
}

/** Reads records one by one. A record that gives no event is kept unchanged. Where the program went back, the conversation goes back too. */
export function readRecords(read: ReadRecords): ReadConversation {
  const { source, format, id, title, records, convert } = read
  const events: DatedImport[] = []
  const interruptions = new Set<number>()
  const problems = [...read.problems]
  const all = records.map((record, index) => {
    const converted = [convert(record, index)].flat()
    const isKept = converted.every((part) => part.events.length === 0)
    const kept: ImportedRecord = { type: 'imported_record', format, record: record.value }
    if (record.texts && !isKept)
      shareTexts(
        converted.flatMap((part) => part.events),
        record.texts,
      )
    read.onRecord?.(countBytes(record))
    return { record, parts: isKept ? [{ ...converted.at(-1), events: [kept] }] : converted }
  })
  let time = findStart(
    all.flatMap(({ parts }) => parts),
    read,
  )
  let bytes = 0
  const branches = createBranches()
  const getPlace = readPlaces(all.flatMap(({ parts }) => parts))
  const goBack = (to: number | undefined): void => {
    if (to !== undefined) events.push({ event: createWayBack(to), at: time })
  }
  for (const [index, { record, parts }] of all.entries()) {
    let isFirst = true
    bytes += countBytes(record)
    for (const part of parts) {
      time = part.at ?? time
      problems.push(...(part.problems ?? []))
      if (part.isInterruption === true) interruptions.add(events.length)
      goBack(branches.placeRecord(getPlace(part), { events: part.events, next: events.length + 1 }))
      for (const imported of part.events) {
        const { event, problems: repaired } = repairMedia(imported)
        for (const { path, code, message } of repaired)
          problems.push(importProblem(index, code, `${path}: ${message}`))
        events.push(isFirst ? withOriginal({ event, at: time }, record) : { event, at: time })
        isFirst = false
      }
    }
  }
  goBack(branches.end(read.leaf))
  return {
    source,
    format,
    id,
    ...(title !== undefined && { title }),
    events: addAbout(markUnfinished(events, interruptions), read),
    before: countEvents(events.map(({ event }) => event)),
    bytes,
    problems,
  }
}

function countBytes(record: SourceRecord): number {
  return record.size ?? record.bytes.length
}

/** Adds the bytes of a record. They stay in its file if the record has not read them. */
function withOriginal(imported: DatedImport, record: SourceRecord): DatedImport {
  return record.size === undefined
    ? { ...imported, original: record.bytes }
    : addBytes(imported, 'original', () => record.bytes)
}

/** Returns the same with another event. The bytes of the record are not read. */
export function withEvent(each: DatedImport, event: ImportedEvent): DatedImport {
  const other: DatedImport = { event, at: each.at }
  const original = Object.getOwnPropertyDescriptor(each, 'original')
  if (original) Object.defineProperty(other, 'original', original)
  return other
}

/**
 * Returns the function that reads the place of a record. If no record follows another one by its id, the source does not tell what a record follows: a
 * record at the beginning then follows the one before it.
 */
function readPlaces(
  parts: readonly ConvertedRecord[],
): (part: ConvertedRecord) => RecordPlace | undefined {
  const places = parts.flatMap(({ recordPlace }) =>
    recordPlace && 'parent' in recordPlace ? [recordPlace] : [],
  )
  const ids = new Set(places.map(({ id }) => id))
  if (places.some(({ parent }) => typeof parent === 'string' && ids.has(parent)))
    return ({ recordPlace }) => recordPlace
  return ({ recordPlace }) =>
    recordPlace && 'parent' in recordPlace ? { ...recordPlace, parent: undefined } : recordPlace
}

/**
 * Returns the time of the records before the first one with a time: the start of the conversation if the source states it, or else that first time.
 * The time of the file would be later than all other times.
 */
function findStart(
  parts: readonly ConvertedRecord[],
  { startedAt, modifiedAt }: Pick<ReadRecords, 'startedAt' | 'modifiedAt'>,
): string {
  const first = parts.find((part) => part.at !== undefined)?.at
  const known = [startedAt, first].filter((time) => time !== undefined)
  return known.toSorted()[0] ?? modifiedAt
}

/**
 * Marks every call without a result with what the source states of it. A call that the source shows waiting waits, and one of the turn
 * that an interruption ended was interrupted. Of any other call nothing is known: the program may have ended, or it records no results.
 */
function markUnfinished(
  events: readonly DatedImport[],
  interruptions: ReadonlySet<number>,
): readonly DatedImport[] {
  const open = new Map<string | undefined, number[]>()
  const interrupted = new Set<number>()
  let turn: number[] = []
  for (const [index, { event }] of events.entries()) {
    if (interruptions.has(index)) for (const call of turn) interrupted.add(call)
    if (event.type === 'user_message') turn = []
    if (event.type === 'tool_result') open.get(event.result.id)?.shift()
    if (event.type !== 'tool_call') continue
    turn.push(index)
    const { id } = event.call
    const calls = open.get(id)
    if (calls) calls.push(index)
    else open.set(id, [index])
  }
  const unfinished = new Set([...open.values()].flat())
  return events.map((each, index) => {
    if (!unfinished.has(index)) return each
    const { event } = each
    const known = interrupted.has(index) ? 'interrupted' : 'unrecorded'
    return withEvent(each, { ...event, imported: { unfinished: known, ...event.imported } })
  })
}

function addAbout(
  events: readonly DatedImport[],
  { title, about }: Pick<ReadRecords, 'title' | 'about'>,
): readonly DatedImport[] {
  const description = { ...(title !== undefined && { title }), ...about }
  const [first, ...rest] = events
  if (!first || Object.keys(description).length === 0) return events
  const imported = { ...first.event.imported, about: description }
  return [withEvent(first, { ...first.event, imported }), ...rest]
}

/** An event with its time, and the bytes of its record. */
export interface DatedImport {
  event: ImportedEvent
  /** When the event happened: ISO 8601. */
  at: string
  /** Present only on the first event of a record. */
  original?: Uint8Array
}

/** Counts of the parts of a conversation. */
export interface ConversationCounts {
  /** Messages of people. */
  userMessages: number
  /** Messages of models, except those that contain only reasoning. */
  assistantMessages: number
  /** Tool calls. */
  calls: number
  /** Results of calls. */
  results: number
  /** Results that are errors. */
  errors: number
  /** Questions of tools, to a person or a model. */
  questions: number
  /** Answers to questions, including those that declined or cancelled. */
  answers: number
  /** Recorded starts of turns; if there are none, the messages of people. */
  turns: number
  /** Changes of model, instructions or tools. */
  configurations: number
  /** Records for which no event exists. They are kept unchanged. */
  unknown: number
}

/** Counts events: those of a store, and those that are about to be stored. */
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
      // Includes types that only a newer version knows.
      counts.unknown += 1
  }
}

/** Larger numbers are milliseconds since 1970, smaller ones seconds. */
const FIRST_MILLISECONDS = 1e11

/**
 * Reads a time as systems write it: ISO 8601, including forms with a blank in place of the `T` and without an offset (UTC), or a number since 1970.
 */
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
