import type { ApprovalEvent, FormatName } from '@toolblocks/conversation-store'
import { basename } from 'node:path'
import {
  type JsonObject,
  type TokenUsage,
  type ToolCall,
  type ToolResult,
} from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { readBlock } from './decode-tool-result.ts'
import { type SourceDocument, splitDocument } from '../records/split-document.ts'
import type { SplitSource } from '../sources/source.ts'
import type { Leaf, RecordPlace } from './place-branches.ts'
import { type ReadConversation, readRecords, readTime, withEvent } from './read-conversation.ts'
import { type ImportedEvent } from './imported-event.ts'

/** How to find the messages of a format in its records. */
export interface MessageReader {
  format: FormatName
  /** The id that the source gives the conversation. If it is not a string, the name of the file is used. */
  id: unknown
  /** The title outside of the records. If it is not a string, and no record has a title, the conversation has none. */
  title?: unknown
  /** Returns the title that a record gives the conversation. A record about another conversation gives none. */
  readTitle?(record: JsonObject): SourceTitle | undefined
  about?: JsonObject
  /** Returns the messages inside of a record. Default: the record is one. */
  readInner?(record: JsonObject): readonly JsonObject[]
  /** Returns the id under which a message may be written again; `undefined` for one that is written once. */
  readKey?(message: JsonObject): MessageKey | undefined
  /** Returns where a message is, in a format whose programs can go back. `undefined`: the program only noted something. */
  readPlace?(message: JsonObject): RecordPlace | undefined
  /** The message after which the program would continue, if the source states it. Default: the last one. */
  leaf?: Leaf | undefined
  /** Returns the parts of a record; empty for a record that is not part of the conversation. */
  readParts(record: JsonObject): readonly ImportedPart[]
  /** Returns the name of the agent that wrote a record, if it is not the model of the conversation. */
  readAgent?(record: JsonObject): string | undefined
  /** Returns the fields of a record for which an event has no place. */
  readFields?(record: JsonObject): JsonObject
  /** Returns the model of a message and its token usage. Returns the usage of each message only once, even if several records hold it. */
  readMessage?(record: JsonObject): ModelUsage
  /** When the conversation began, if the source states it outside of its records: ISO 8601. */
  startedAt?: string | undefined
  /** Whether a record says that the calls before it which have no result were interrupted. */
  isInterruption?(record: JsonObject): boolean
  /** Returns the time of a record. Default: `timestamp`, `createdAt` or `created_at`. */
  readTime?(record: JsonObject): string | undefined
}

/**
 * The id of a message that a program may write again. `last`: the program writes the complete message each time it changes, so the last one counts.
 * `first`: it writes copies.
 */
export interface MessageKey {
  id: string
  counts: 'first' | 'last'
}

/** Reads the place of a message from the ids of itself and of the one that it follows. Other values than ids tell nothing. */
export function createPlace(id: unknown, parent: unknown): RecordPlace {
  return {
    id: typeof id === 'string' ? id : undefined,
    parent: typeof parent === 'string' || parent === null ? parent : undefined,
  }
}

/** Creates the key of a message; returns `undefined` if it has no id. */
export function createKey(id: unknown, counts: MessageKey['counts']): MessageKey | undefined {
  return typeof id === 'string' ? { id, counts } : undefined
}

/** Finds the messages that another one with the same id replaces. */
function findReplaced(
  messages: readonly JsonObject[],
  readKey: MessageReader['readKey'],
): ReadonlySet<JsonObject> {
  const counted = new Map<string, JsonObject>()
  const replaced = new Set<JsonObject>()
  for (const message of messages) {
    const key = readKey?.(message)
    const before = key && counted.get(key.id)
    if (!key) continue
    if (before) replaced.add(key.counts === 'first' ? message : before)
    if (!before || key.counts === 'last') counted.set(key.id, message)
  }
  return replaced
}

/** A title of a conversation, and who chose it. */
export interface SourceTitle {
  /** Empty: an earlier title was removed. */
  text: string
  by: 'person' | 'program'
}

/** Creates the title of a record; returns `undefined` if it has none. */
export function createTitle(text: unknown, by: SourceTitle['by']): SourceTitle | undefined {
  return typeof text === 'string' ? { text, by } : undefined
}

/** Chooses the last title that a person chose, or else the last one that a program generated, whatever their order. */
function chooseTitle(titles: readonly SourceTitle[]): string | undefined {
  const last = (['person', 'program'] as const).map(
    (by) => titles.findLast((title) => title.by === by)?.text,
  )
  return last.find((text) => text !== undefined && text.trim() !== '')
}

/** What a source states about a conversation, under the same names for every format. */
interface AboutConversation {
  /** The working folder, an absolute path. */
  folder?: unknown
  model?: unknown
  gitBranch?: unknown
  /** The version of the program. */
  version?: unknown
}

/** Returns the values that are texts. */
export function readAbout(known: AboutConversation): JsonObject {
  return Object.fromEntries(
    Object.entries(known).filter(([, value]) => typeof value === 'string' && value !== ''),
  )
}

/** Returns the fields of a record that no event contains, without those that are `null`, `false` or an empty list. */
export function omitFields(record: JsonObject, readNames: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) =>
        !readNames.includes(name) &&
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
    readTitle,
    startedAt,
    about,
    readInner = (record) => [record],
    readKey,
    readParts,
    readFields,
    readMessage,
    readTime: readRecordTime = findRecordTime,
  } = reader
  const replaced = findReplaced(
    document.records.flatMap(({ value }) => readInner(value)),
    readKey,
  )
  const titles = document.records.flatMap(({ value }) => readTitle?.(value) ?? [])
  const chosen = chooseTitle(titles) ?? title
  const read = readRecords({
    source: path,
    format,
    id: `${format}-${typeof id === 'string' ? id : basename(path).replace(/\.[^.]+$/, '')}`,
    title: typeof chosen === 'string' ? chosen : undefined,
    ...(about && { about }),
    startedAt,
    modifiedAt,
    records: document.records,
    problems: document.problems,
    onRecord: document.onRecord,
    leaf: reader.leaf,
    convert: ({ value }) =>
      readInner(value).map((message) => ({
        events: replaced.has(message)
          ? []
          : withAgent(
              partsToEvents(readParts(message), readFields?.(message), readMessage?.(message)),
              reader.readAgent?.(message),
            ),
        // A copy is in no branch of its own.
        recordPlace: replaced.has(message) ? undefined : reader.readPlace?.(message),
        at: readRecordTime(message),
        isInterruption: reader.isInterruption?.(message) ?? false,
      })),
  })
  return reader.readAgent ? withoutOwnAgent(read) : read
}

function withAgent(
  events: readonly ImportedEvent[],
  agent: string | undefined,
): readonly ImportedEvent[] {
  if (agent === undefined) return events
  return events.map((event) => ({ ...event, imported: { ...event.imported, agent } }))
}

/** Removes the names of agents from the conversation of an agent itself, in which nobody else said or did anything. */
function withoutOwnAgent(read: ReadConversation): ReadConversation {
  const isOwn = read.events.every(
    ({ event }) => SPOKEN[event.type] !== true || event.imported?.agent !== undefined,
  )
  if (!isOwn) return read
  const events = read.events.map((each) => {
    const { agent: _own, ...imported } = each.event.imported ?? {}
    return each.event.imported?.agent === undefined
      ? each
      : withEvent(each, { ...each.event, imported })
  })
  return { ...read, events }
}

/** Events in which somebody said or did something. */
const SPOKEN: Readonly<Partial<Record<ImportedEvent['type'], true>>> = {
  user_message: true,
  assistant_message: true,
  tool_call: true,
  tool_result: true,
}

const TIMES: readonly string[] = ['timestamp', 'createdAt', 'created_at']

function findRecordTime(record: JsonObject): string | undefined {
  const name = TIMES.find((each) => Object.hasOwn(record, each))
  return name === undefined ? undefined : readTime(getOwnField(record, name))
}

/** One part of a record, in the same form for every format. */
export type ImportedPart =
  | { kind: 'said'; by: 'user' | 'assistant'; block: unknown }
  /** Reasoning of a model; `raw` is what its provider needs back. */
  | { kind: 'thought'; text: string; raw: JsonObject }
  /** A message of a model without content. It has only the model and the token usage. */
  | { kind: 'silent' }
  /** `fields`: fields beside the call for which a call has no place. `isWaiting`: a person has not decided yet whether it may run. */
  | { kind: 'call'; call: ToolCall; fields?: JsonObject; isWaiting?: boolean }
  /** A decision about a call. */
  | { kind: 'approval'; approval: Omit<ApprovalEvent, 'type'>; fields?: JsonObject }
  | { kind: 'result'; result: ToolResult; fields?: JsonObject }
  | { kind: 'configuration'; values: JsonObject }

/** The model of a record, and its token usage. */
export interface ModelUsage {
  model?: string
  usage?: TokenUsage
}

/** Returns the model and the token usage of a record; empty for a model without a name. */
export function createModelUsage(model: unknown, usage: TokenUsage | undefined): ModelUsage {
  return {
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(usage && { usage }),
  }
}

/** Consecutive texts and thoughts without a call between them. They become one message. */
type Run = Extract<ImportedPart, { kind: 'said' | 'thought' }>[]

/** Creates the events of a record, in the order of its parts. `fields` are added to the first event. */
export function partsToEvents(
  parts: readonly ImportedPart[],
  fields: JsonObject = {},
  by: ModelUsage = {},
): readonly ImportedEvent[] {
  const events = withSpeaker(splitRuns(parts).map(toEvent), by)
  const [first, ...rest] = events
  if (!first || Object.keys(fields).length === 0) return events
  const all = { ...fields, ...first.imported?.fields }
  return [{ ...first, imported: { ...first.imported, fields: all } }, ...rest]
}

/**
 * Adds the model to every message. Adds the token usage once: to the first message, or, if a model only calls tools, to a message without content.
 */
function withSpeaker(
  events: readonly ImportedEvent[],
  { model, usage }: ModelUsage,
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

type MessagePiece = Run | Exclude<ImportedPart, { kind: 'said' | 'thought' }>

function splitRuns(parts: readonly ImportedPart[]): readonly MessagePiece[] {
  const pieces: MessagePiece[] = []
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

function toEvent(piece: MessagePiece): ImportedEvent {
  if (Array.isArray(piece)) return toMessage(piece)
  switch (piece.kind) {
    case 'silent':
      return { type: 'assistant_message', content: [] }
    case 'call':
      return toCall(piece)
    case 'approval':
      return { type: 'approval', ...piece.approval, ...toImported(piece.fields) }
    case 'result':
      return { type: 'tool_result', result: piece.result, ...toImported(piece.fields) }
    case 'configuration':
      return { type: 'configuration', values: piece.values }
  }
}

function toCall({
  call,
  fields,
  isWaiting,
}: Extract<ImportedPart, { kind: 'call' }>): ImportedEvent {
  const event: ImportedEvent = { type: 'tool_call', call, ...toImported(fields) }
  return isWaiting === true
    ? { ...event, imported: { ...event.imported, unfinished: 'waiting' } }
    : event
}

function toImported(fields: JsonObject = {}): { imported?: { fields: JsonObject } } {
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

/** Reads the file of an export: one conversation, or an array of them. Reports problems of the array with its first conversation. */
export function readExportFile(
  { document }: SplitSource,
  readOne: (document: SourceDocument, problems: SourceDocument['problems']) => ReadConversation,
): readonly ReadConversation[] {
  if (document.shape === 'object') return [readOne(document, [])]
  return document.records.map(({ bytes }, index) =>
    readOne(
      splitDocument(bytes, { textsOnDemandFrom: document.textsOnDemandFrom }),
      index === 0 ? document.problems : [],
    ),
  )
}
