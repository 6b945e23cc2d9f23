import { basename } from 'node:path'
import {
  type JsonObject,
  type TokenUsage,
  type ToolCall,
  type ToolResult,
  getOwnField,
} from '@toolblocks/protocol'
import type { FormatName } from '../../events/format-name.ts'
import { readBlock } from './decode-tool-result.ts'
import { type SourceDocument, splitDocument } from '../records/split-document.ts'
import type { SplitSource } from '../sources/source.ts'
import {
  type ImportedEvent,
  type ReadConversation,
  readRecords,
  readTime,
} from './read-conversation.ts'

/** How the messages of a format are found in its records. */
export interface MessageReader {
  format: FormatName
  /** What the source calls the conversation; where that is no text, it is called like its file. */
  id: unknown
  /** Where it is no text, the conversation has none. */
  title?: unknown
  about?: JsonObject
  /** Empty for a record that says nothing of a conversation. */
  readParts(record: JsonObject): readonly Part[]
  /** What no event has a place for. */
  readFields?(record: JsonObject): JsonObject
  /** Which model spoke, and what that took. What a message took is told for one record of it. */
  readMessage?(record: JsonObject): Spoken
  /** When it happened. Default: `timestamp`, `createdAt` or `created_at`. */
  readTime?(record: JsonObject): string | undefined
}

/** What a source says of a conversation, under the names that every format has for it. */
interface AboutConversation {
  /** The folder that was worked in: an absolute path. */
  folder?: unknown
  model?: unknown
  gitBranch?: unknown
  /** Of the program. */
  version?: unknown
}

/** The texts of what is known. */
export function readAbout(known: AboutConversation): JsonObject {
  return Object.fromEntries(
    Object.entries(known).filter(([, value]) => typeof value === 'string' && value !== ''),
  )
}

/** A record without the fields that an event stands for, and without what is nothing, false or an empty list. */
export function readRest(record: JsonObject, told: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) =>
        !told.includes(name) &&
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
  const {
    format,
    id,
    title,
    about,
    readParts,
    readFields,
    readMessage,
    readTime: readRecordTime = findRecordTime,
  } = reader
  return readRecords({
    source: path,
    format,
    id: `${format}-${typeof id === 'string' ? id : basename(path).replace(/\.[^.]+$/, '')}`,
    title: typeof title === 'string' ? title : undefined,
    ...(about && { about }),
    startsAt: modifiedAt,
    records: document.records,
    problems: document.problems,
    convert: ({ value }) => ({
      events: partsToEvents(readParts(value), readFields?.(value), readMessage?.(value)),
      at: readRecordTime(value),
    }),
  })
}

const TIMES: readonly string[] = ['timestamp', 'createdAt', 'created_at']

function findRecordTime(record: JsonObject): string | undefined {
  const name = TIMES.find((each) => Object.hasOwn(record, each))
  return name === undefined ? undefined : readTime(getOwnField(record, name))
}

/** One thing that a record says, whatever system wrote it. */
export type Part =
  | { kind: 'said'; by: 'user' | 'assistant'; block: unknown }
  /** What a model thought; `raw` is what its provider wants back. */
  | { kind: 'thought'; text: string; raw: JsonObject }
  /** A message of a model that says nothing itself: it has who spoke, and what that took. */
  | { kind: 'silent' }
  /** `fields`: what stands beside it that a call has no place for. */
  | { kind: 'call'; call: ToolCall; fields?: JsonObject }
  | { kind: 'result'; result: ToolResult; fields?: JsonObject }
  | { kind: 'configuration'; values: JsonObject }

/** Which model said what a record says, and what that took. */
export interface Spoken {
  model?: string
  usage?: TokenUsage
}

/** What is known of who spoke; nothing for a model without a name. */
export function spoken(model: unknown, usage: TokenUsage | undefined): Spoken {
  return {
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(usage && { usage }),
  }
}

/** What is said or thought without a call between is one message. */
type Run = Extract<Part, { kind: 'said' | 'thought' }>[]

/** The events of a record, in the order of its parts; `fields` stand beside the first. */
export function partsToEvents(
  parts: readonly Part[],
  fields: JsonObject = {},
  by: Spoken = {},
): readonly ImportedEvent[] {
  const events = withSpeaker(splitRuns(parts).map(toEvent), by)
  const [first, ...rest] = events
  if (!first || Object.keys(fields).length === 0) return events
  const all = { ...fields, ...first.imported?.fields }
  return [{ ...first, imported: { ...first.imported, fields: all } }, ...rest]
}

/** Every message names its model. What it took stands once: with the first, or, where a model only calls, with one that says nothing. */
function withSpeaker(
  events: readonly ImportedEvent[],
  { model, usage }: Spoken,
): readonly ImportedEvent[] {
  const first = events.findIndex(({ type }) => type === 'assistant_message')
  const named = events.map((event, index) =>
    event.type === 'assistant_message'
      ? {
          ...event,
          ...(model !== undefined && { model }),
          ...(usage && index === first && { usage }),
        }
      : event,
  )
  if (first !== -1 || !usage || !events.some(({ type }) => type === 'tool_call')) return named
  const silent = { type: 'assistant_message' as const, content: [], usage }
  return [{ ...silent, ...(model !== undefined && { model }) }, ...named]
}

type Piece = Run | Exclude<Part, { kind: 'said' | 'thought' }>

function splitRuns(parts: readonly Part[]): readonly Piece[] {
  const pieces: Piece[] = []
  let run: Run | undefined
  for (const part of parts) {
    if (part.kind !== 'said' && part.kind !== 'thought') {
      pieces.push(part)
      run = undefined
    } else if (run && readSpeaker(run[0]) === readSpeaker(part)) run.push(part)
    else {
      run = [part]
      pieces.push(run)
    }
  }
  return pieces
}

function readSpeaker(part: Run[number] | undefined): string | undefined {
  return part?.kind === 'said' ? part.by : part && 'assistant'
}

function toEvent(piece: Piece): ImportedEvent {
  if (Array.isArray(piece)) return toMessage(piece)
  switch (piece.kind) {
    case 'silent':
      return { type: 'assistant_message', content: [] }
    case 'call':
      return { type: 'tool_call', call: piece.call, ...beside(piece.fields) }
    case 'result':
      return { type: 'tool_result', result: piece.result, ...beside(piece.fields) }
    case 'configuration':
      return { type: 'configuration', values: piece.values }
  }
}

function beside(fields: JsonObject = {}): { imported?: { fields: JsonObject } } {
  return Object.keys(fields).length === 0 ? {} : { imported: { fields } }
}

function toMessage(run: Run): ImportedEvent {
  const content = run.flatMap((part) => (part.kind === 'said' ? [readBlock(part.block)] : []))
  if (run[0]?.kind === 'said' && run[0].by === 'user') return { type: 'user_message', content }
  const thoughts = run.flatMap((part) => (part.kind === 'thought' ? [part] : []))
  const texts = thoughts.map(({ text }) => text).filter((text) => text !== '')
  return {
    type: 'assistant_message',
    content,
    ...(texts.length > 0 && { reasoning: texts.join('\n\n') }),
    ...(thoughts.length > 0 && { _meta: { reasoning: thoughts.map(({ raw }) => raw) } }),
  }
}

/** Reads the file of an export: one conversation, or an array of them. What is wrong with the array is told with its first. */
export function readExportFile(
  { document }: SplitSource,
  readOne: (document: SourceDocument, problems: SourceDocument['problems']) => ReadConversation,
): readonly ReadConversation[] {
  if (document.shape === 'object') return [readOne(document, [])]
  return document.records.map(({ bytes }, index) =>
    readOne(splitDocument(bytes), index === 0 ? document.problems : []),
  )
}
