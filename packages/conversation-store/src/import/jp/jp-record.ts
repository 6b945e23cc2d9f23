import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { Tally } from '../counts.ts'

/** What a record of JP is, as far as it has what its type needs. */
export type JpKind =
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

export function kindOf(record: JsonObject): JpKind {
  const type = field(record, 'type')
  const isText = (name: string): boolean => typeof field(record, name) === 'string'
  const isContent = (name: string): boolean => isText(name) || Array.isArray(field(record, name))
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
      const question = field(record, 'question')
      const asks = isJsonObject(question) && typeof field(question, 'text') === 'string'
      return isText('id') && asks ? type : 'unknown'
    }
    case 'inquiry_response':
      return isText('id') && Object.hasOwn(record, 'answer') ? type : 'unknown'
    case 'compaction':
      return isPlace(field(record, 'from_turn')) && isPlace(field(record, 'to_turn'))
        ? type
        : 'unknown'
    default:
      return 'unknown'
  }
}

function isPlace(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

export function countRecord(record: JsonObject, tally: Tally): void {
  switch (kindOf(record)) {
    case 'turn_start':
      tally.turns += 1
      return
    case 'chat_request':
      tally.userMessages += 1
      return
    case 'message':
    case 'data':
      tally.assistantMessages += 1
      return
    case 'tool_call_request':
      tally.calls += 1
      return
    case 'tool_call_response':
      tally.results += 1
      if (field(record, 'is_error') === true) tally.errors += 1
      return
    case 'inquiry_request':
      tally.questions += 1
      return
    case 'inquiry_response':
      tally.answers += 1
      return
    case 'config_delta':
      tally.configurations += 1
      return
    case 'unknown':
      tally.unknown += 1
      return
    case 'reasoning':
    case 'compaction':
      return
  }
}
