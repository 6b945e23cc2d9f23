import { field, isJsonObject, type JsonObject, textOfValue } from '@toolblocks/protocol'
import type { ImportedEvent } from '../imported-event.ts'
import { importProblem } from '../import-problem.ts'
import { type ConvertedRecord, keepRecord } from '../read-conversation.ts'
import { readTime } from '../read-time.ts'
import type { SourceRecord } from '../records/source-record.ts'
import { asJson, type Source } from '../sources/source.ts'
import { type DecodedStrings, decodeStrings } from './decode-base64.ts'
import { kindOf } from './jp-record.ts'
import { readCompaction } from './read-compaction.ts'
import { readContent } from './read-content.ts'
import { readQuestion, splitInquiryId } from './read-inquiry.ts'
import { detailsOf } from './record-details.ts'
import { toObject } from './to-object.ts'

/** What is known of a conversation so far, and what is noted of one record. */
interface Reading extends DecodedStrings {
  source: Pick<Source, 'blob'>
  calls: ReadonlySet<string>
  turn: number
  /** Hashes of contents that are not where they should be. */
  missing: string[]
}

/** Makes the converter of one conversation: it counts turns, and knows the calls so far. */
export function createConverter(
  source: Pick<Source, 'blob'>,
): (record: SourceRecord, index: number) => ConvertedRecord {
  const calls = new Set<string>()
  let turn = 0
  return ({ value: record }, index) => {
    if (kindOf(record) === 'turn_start') turn += 1
    const reading: Reading = { source, calls, turn, decoded: [], undecoded: [], missing: [] }
    const event = toEvent(record, reading)
    const at = readTime(field(record, 'timestamp'))
    if (!event) return { ...keepRecord('jp', record), at }
    if (event.type === 'tool_call') calls.add(event.call.id)
    const details = detailsOf(record, event.type, reading)
    const problems = reading.missing.map((sha256) =>
      importProblem(index, 'missing-blob', `the content ${sha256} is not among the blobs`),
    )
    return { events: [details ? { ...event, imported: details } : event], at, problems }
  }
}

function toEvent(record: JsonObject, reading: Reading): ImportedEvent | undefined {
  const kind = kindOf(record)
  const id = textOfValue(field(record, 'id'))
  switch (kind) {
    case 'turn_start':
      return { type: 'turn_start', turn: reading.turn }
    case 'chat_request':
      return { type: 'user_message', content: readContent(field(record, 'content'), reading) }
    case 'message':
    case 'reasoning':
    case 'data':
      return {
        type: 'assistant_message',
        content: kind === 'message' ? readContent(field(record, 'message'), reading) : [],
        ...(kind === 'reasoning' && { reasoning: textOfValue(field(record, 'reasoning')) }),
        ...(kind === 'data' && { data: asJson(field(record, 'data')) }),
        ...metaOf(record, reading),
      }
    case 'tool_call_request': {
      const given = toObject(field(record, 'arguments'))
      const read = toObject(decodeStrings(given, '/arguments', reading))
      return {
        type: 'tool_call',
        call: { id, name: textOfValue(field(record, 'name')), arguments: read },
      }
    }
    case 'tool_call_response': {
      const kept = field(record, 'content') ?? field(record, 'blocks')
      const read = typeof kept === 'string' ? decodeStrings(kept, '/content', reading) : kept
      const isError = field(record, 'is_error') === true
      return { type: 'tool_result', result: { id, content: readContent(read, reading), isError } }
    }
    case 'inquiry_request':
      return readQuestion(record, id, splitInquiryId(id, reading.calls))
    case 'inquiry_response': {
      const { callId } = splitInquiryId(id, reading.calls)
      const value = asJson(field(record, 'answer'))
      return { type: 'answer', id, callId, action: 'accept', value }
    }
    case 'config_delta':
      return { type: 'configuration', values: valuesOf(record) }
    case 'compaction':
      return readCompaction(record)
    case 'unknown':
      return undefined
  }
}

/** What the provider wants back, such as signatures of what the model thought. */
function metaOf(record: JsonObject, reading: Reading): { _meta?: JsonObject } {
  const metadata = field(record, 'metadata')
  if (!isJsonObject(metadata)) return {}
  return { _meta: toObject(decodeStrings(metadata, '/metadata', reading)) }
}

/** The first generation wrote the values beside the type. */
function valuesOf(record: JsonObject): JsonObject {
  const delta = field(record, 'delta')
  if (isJsonObject(delta)) return delta
  const { type: _type, timestamp: _timestamp, ...values } = record
  return values
}
