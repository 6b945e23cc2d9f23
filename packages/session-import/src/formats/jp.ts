import type { Compaction } from '@toolblocks/conversation-store'
import { basename, dirname } from 'node:path'
import { type JsonObject, type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import {
  type ConvertedRecord,
  type ReadConversation,
  readRecords,
  readTime,
} from '../convert/read-conversation.ts'
import { type ImportDetails, type ImportedEvent } from '../convert/imported-event.ts'
import {
  type ImportProblem,
  type SourceRecord,
  importProblem,
  parseObject,
} from '../records/records.ts'
import { type ImportSource, type SplitSource, asJson } from '../sources/source.ts'
import { type DecodedStrings, decodeStrings, readContent } from './jp-content.ts'

const TYPES: ReadonlySet<unknown> = new Set([
  'turn_start',
  'chat_request',
  'chat_response',
  'tool_call_request',
  'tool_call_response',
  'inquiry_request',
  'inquiry_response',
  'config_delta',
])

/** Whether a document is an array of records of JP, of its first generations or of later ones. */
export function isJp({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape === 'lines') return false
  return records.slice(0, 5).some(({ value }) => {
    const time = getOwnField(value, 'timestamp')
    return TYPES.has(getOwnField(value, 'type')) && typeof time === 'string'
  })
}

/** Reads a folder of JP: `events.json`, and beside it `metadata.json` and, in later versions, `base_config.json`. */
export function readJp(source: SplitSource): readonly ReadConversation[] {
  const { path, document, beside, modifiedAt } = source
  const folder = basename(dirname(path))
  const bytes = beside('metadata.json')
  const metadata = (bytes && parseObject(bytes)) ?? {}
  const title = getOwnField(metadata, 'title')
  const base = readBase(beside('base_config.json'))
  const records = base.record ? [base.record, ...document.records] : document.records
  const convert = createConverter(source)
  const read = readRecords({
    source: path,
    format: 'jp',
    id: `jp-${/^\d{11}/.exec(folder)?.[0] ?? folder}`,
    title: typeof title === 'string' ? title : undefined,
    about: metadata,
    modifiedAt,
    records,
    problems: [...base.problems, ...document.problems],
    onRecord: document.onRecord,
    convert: (record, index) =>
      record === base.record
        ? { events: [{ type: 'configuration', values: record.value }] }
        : convert(record, index),
  })
  return [read]
}

function readBase(bytes: Uint8Array | undefined): {
  record?: { value: JsonObject; bytes: Uint8Array }
  problems: readonly ImportProblem[]
} {
  if (!bytes) return { problems: [] }
  const value = parseObject(bytes)
  if (value) return { record: { value, bytes }, problems: [] }
  const message = 'base_config.json beside it was not imported: expected a JSON object'
  return { problems: [importProblem(0, 'not-json', message)] }
}

/** The state of reading a conversation, and the notes of the current record. */
interface JpReading extends DecodedStrings {
  source: Pick<ImportSource, 'blob'>
  calls: ReadonlySet<string>
  turn: number
  /** Hashes of contents that are missing. */
  missing: string[]
}

/** Creates the converter of one conversation. It counts turns and records the ids of calls. */
function createConverter(
  source: Pick<ImportSource, 'blob'>,
): (record: SourceRecord, index: number) => ConvertedRecord {
  const calls = new Set<string>()
  let turn = 0
  return ({ value: record }, index) => {
    if (readKind(record) === 'turn_start') turn += 1
    const reading: JpReading = { source, calls, turn, decoded: [], undecoded: [], missing: [] }
    const event = toEvent(record, reading)
    const time = readTime(getOwnField(record, 'timestamp'))
    if (!event) return { events: [], at: time }
    if (event.type === 'tool_call') calls.add(event.call.id)
    const details = readDetails(record, event.type, reading)
    const problems = reading.missing.map((sha256) =>
      importProblem(index, 'missing-blob', `the content ${sha256} was not found among the blobs`),
    )
    return { events: [details ? { ...event, imported: details } : event], at: time, problems }
  }
}

function toEvent(record: JsonObject, reading: JpReading): ImportedEvent | undefined {
  const kind = readKind(record)
  const id = formatValue(getOwnField(record, 'id'))
  switch (kind) {
    case 'turn_start':
      return { type: 'turn_start', turn: reading.turn }
    case 'chat_request':
      return { type: 'user_message', content: readContent(getOwnField(record, 'content'), reading) }
    case 'message':
    case 'reasoning':
    case 'data':
      return {
        type: 'assistant_message',
        content: kind === 'message' ? readContent(getOwnField(record, 'message'), reading) : [],
        ...(kind === 'reasoning' && { reasoning: formatValue(getOwnField(record, 'reasoning')) }),
        ...(kind === 'data' && { data: asJson(getOwnField(record, 'data')) }),
        ...readMeta(record, reading),
      }
    case 'tool_call_request': {
      const encoded = toObject(getOwnField(record, 'arguments'))
      const read = toObject(decodeStrings(encoded, '/arguments', reading))
      return {
        type: 'tool_call',
        call: { id, name: formatValue(getOwnField(record, 'name')), arguments: read },
      }
    }
    case 'tool_call_response': {
      const kept = getOwnField(record, 'content') ?? getOwnField(record, 'blocks')
      const read = typeof kept === 'string' ? decodeStrings(kept, '/content', reading) : kept
      const isError = getOwnField(record, 'is_error') === true
      return { type: 'tool_result', result: { id, content: readContent(read, reading), isError } }
    }
    case 'inquiry_request':
      return readQuestion(record, id, splitInquiryId(id, reading.calls))
    case 'inquiry_response': {
      const { callId } = splitInquiryId(id, reading.calls)
      const value = asJson(getOwnField(record, 'answer'))
      return { type: 'answer', id, callId, action: 'accept', value }
    }
    case 'config_delta':
      return { type: 'configuration', values: readValues(record) }
    case 'compaction':
      return readCompaction(record)
    case 'unknown':
      return undefined
  }
}

/** Returns the metadata that the provider needs back, such as signatures of reasoning. */
function readMeta(record: JsonObject, reading: JpReading): { _meta?: JsonObject } {
  const metadata = getOwnField(record, 'metadata')
  if (!isJsonObject(metadata)) return {}
  return { _meta: toObject(decodeStrings(metadata, '/metadata', reading)) }
}

/** Returns the values of a record. The first generation wrote them beside the type. */
function readValues(record: JsonObject): JsonObject {
  const delta = getOwnField(record, 'delta')
  if (isJsonObject(delta)) return delta
  const { type: _type, timestamp: _timestamp, ...values } = record
  return values
}

/** The kind of a record of JP, with the fields that its type needs. */
type JpKind =
  | 'turn_start'
  | 'chat_request'
  | 'message'
  | 'reasoning'
  | 'data'
  | 'tool_call_request'
  | 'tool_call_response'
  | 'inquiry_request'
  | 'inquiry_response'
  | 'config_delta'
  | 'compaction'
  | 'unknown'

function readKind(record: JsonObject): JpKind {
  const type = getOwnField(record, 'type')
  const isText = (name: string): boolean => typeof getOwnField(record, name) === 'string'
  const isContent = (name: string): boolean =>
    isText(name) || Array.isArray(getOwnField(record, name))
  switch (type) {
    case 'turn_start':
    case 'config_delta':
      return type
    case 'chat_request':
      return isContent('content') ? type : 'unknown'
    case 'chat_response':
      if (isText('message')) return 'message'
      if (isText('reasoning')) return 'reasoning'
      return Object.hasOwn(record, 'data') ? 'data' : 'unknown'
    case 'tool_call_request':
      return isText('id') && isText('name') ? type : 'unknown'
    case 'tool_call_response':
      return isText('id') && (isContent('content') || isContent('blocks')) ? type : 'unknown'
    case 'inquiry_request': {
      const question = getOwnField(record, 'question')
      const asks = isJsonObject(question) && typeof getOwnField(question, 'text') === 'string'
      return isText('id') && asks ? type : 'unknown'
    }
    case 'inquiry_response':
      return isText('id') && Object.hasOwn(record, 'answer') ? type : 'unknown'
    case 'compaction':
      return isPlace(getOwnField(record, 'from_turn')) && isPlace(getOwnField(record, 'to_turn'))
        ? type
        : 'unknown'
    default:
      return 'unknown'
  }
}

function isPlace(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** The call and the question of an inquiry: `<call id>.<question id>`, in later versions followed by an attempt. */
interface InquiryIds {
  callId: string
  questionId: string
}

/** Splits an inquiry id. Ids may contain dots themselves, so a known call id decides. */
function splitInquiryId(id: string, calls: ReadonlySet<string>): InquiryIds {
  for (let dot = id.lastIndexOf('.'); dot > 0; dot = id.lastIndexOf('.', dot - 1)) {
    const callId = id.slice(0, dot)
    if (calls.has(callId)) return { callId, questionId: id.slice(dot + 1) || id }
  }
  const dot = id.indexOf('.')
  return dot === -1
    ? { callId: id, questionId: id }
    : { callId: id.slice(0, dot), questionId: id.slice(dot + 1) || id }
}

/** Reads a question. JP does not record who was asked, so it is read as a question to a person. */
function readQuestion(
  record: JsonObject,
  id: string,
  { callId, questionId }: InquiryIds,
): ImportedEvent {
  const question = toObject(getOwnField(record, 'question'))
  const fallback = getOwnField(question, 'default')
  return {
    type: 'question',
    id,
    callId,
    question: {
      id: questionId,
      text: formatValue(getOwnField(question, 'text')),
      schema: readSchema(getOwnField(question, 'answer_type')),
      ...(fallback !== undefined && fallback !== null && { default: asJson(fallback) }),
    },
    asked: 'user',
  }
}

/** Reads the type of an answer: `{"type": "boolean"}` as JP stores it, `"Boolean"` and `{"Select": {…}}` as tools print it. */
function readSchema(answerType: unknown): JsonSchema {
  const type =
    typeof answerType === 'string' ? answerType : getOwnField(toObject(answerType), 'type')
  const select = toObject(getOwnField(toObject(answerType), 'Select'))
  const options = getOwnField(toObject(answerType), 'options') ?? getOwnField(select, 'options')
  if (Array.isArray(options))
    return {
      enum: options.map((option) => (isJsonObject(option) ? getOwnField(option, 'value') : option)),
    }
  if (type === 'boolean' || type === 'Boolean') return { type: 'boolean' }
  return { type: 'string' }
}

/** Reads a compaction. JP counts turns from 0. */
function readCompaction(record: JsonObject): Compaction {
  const summary = getOwnField(toObject(getOwnField(record, 'summary')), 'summary')
  const tools = toObject(getOwnField(record, 'tool_calls'))
  const toolCalls = readToolCalls(tools)
  return {
    type: 'compaction',
    fromTurn: readTurn(getOwnField(record, 'from_turn')),
    toTurn: readTurn(getOwnField(record, 'to_turn')),
    ...(typeof summary === 'string' && { summary }),
    ...(getOwnField(record, 'reasoning') === 'strip' && { reasoning: 'strip' }),
    ...(toolCalls && { toolCalls }),
  }
}

/** A store refuses a value that is not a number; then the record itself is kept. */
function readTurn(turn: unknown): number {
  return typeof turn === 'number' || typeof turn === 'string' ? Number(turn) + 1 : Number.NaN
}

function readToolCalls(tools: JsonObject): Compaction['toolCalls'] | undefined {
  if (getOwnField(tools, 'policy') === 'omit') return 'omit'
  if (getOwnField(tools, 'policy') !== 'strip') return undefined
  if (getOwnField(tools, 'request') === true) return 'strip'
  return getOwnField(tools, 'response') === true ? 'strip-results' : undefined
}

/** Fields of a record for which its event has a place, beside `type` and `timestamp`. */
const USED: Readonly<Record<string, readonly string[]>> = {
  user_message: ['content'],
  assistant_message: ['message', 'reasoning', 'data', 'metadata'],
  tool_call: ['id', 'name', 'arguments'],
  tool_result: ['id', 'content', 'blocks', 'is_error'],
  question: ['id', 'question'],
  answer: ['id', 'answer'],
}

/** Returns the fields of a record for which its event has no place, and the places of strings that were base64. */
function readDetails(
  record: JsonObject,
  type: string,
  strings: DecodedStrings,
): ImportDetails | undefined {
  if (type === 'configuration' || type === 'compaction') return undefined
  const used = USED[type] ?? []
  const rest = Object.entries(record).filter(
    ([name]) => !used.includes(name) && name !== 'type' && name !== 'timestamp',
  )
  const fields = Object.fromEntries(
    rest.map(([name, value]) => [
      name,
      name === 'metadata' ? decodeStrings(value, '/metadata', strings) : value,
    ]),
  )
  const { decoded, undecoded } = strings
  const details = {
    ...(rest.length > 0 && { fields }),
    ...(decoded.length > 0 && { decoded }),
    ...(undecoded.length > 0 && { undecoded }),
  }
  return Object.keys(details).length > 0 ? details : undefined
}

/** Returns an object unchanged, and an empty object for any other value. */
function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}
