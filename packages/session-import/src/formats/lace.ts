import { basename, dirname } from 'node:path'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { decodeToolResult, readBlocks } from '../convert/decode-tool-result.ts'
import { type ReadConversation, readRecords, readTime } from '../convert/read-conversation.ts'
import { type ImportedEvent } from '../convert/imported-event.ts'
import { readToolCall } from '../convert/read-part.ts'
import type { SplitSource } from '../sources/source.ts'

/** Whether a document is the log of Lace since 2026: numbered events, one on each line. */
export function isLace({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape !== 'lines' || records.length === 0) return false
  return records.slice(0, 5).every(({ value }) => {
    const [seq, type] = [getOwnField(value, 'eventSeq'), getOwnField(value, 'type')]
    return typeof seq === 'number' && typeof type === 'string'
  })
}

/** Reads a session: a file with its name, or `events.jsonl` in a folder with its name. */
export function readLace(source: SplitSource): readonly ReadConversation[] {
  const { path, document, modifiedAt } = source
  const stem = basename(path).replace(/\.[^.]+$/, '')
  const session = stem === 'events' ? basename(dirname(path)) : stem
  let turn = 0
  const read = readRecords({
    source: path,
    format: 'lace',
    id: `lace-${session}`,
    modifiedAt,
    // Several processes may have written to the log.
    records: document.records.toSorted((one, other) => readSeq(one.value) - readSeq(other.value)),
    problems: document.problems,
    onRecord: document.onRecord,
    convert: ({ value }) => {
      const time = readTime(getOwnField(value, 'timestamp'))
      if (getOwnField(value, 'type') === 'turn_start') turn += 1
      return { events: convert(value, turn), at: time }
    },
  })
  return [read]
}

function readSeq(record: JsonObject): number {
  const seq = getOwnField(record, 'eventSeq')
  return typeof seq === 'number' ? seq : 0
}

function readData(record: JsonObject): JsonObject {
  const data = getOwnField(record, 'data')
  return isJsonObject(data) ? data : {}
}

function convert(record: JsonObject, turn: number): readonly ImportedEvent[] {
  const data = readData(record)
  const content = getOwnField(data, 'content')
  switch (getOwnField(record, 'type')) {
    case 'turn_start':
      return [{ type: 'turn_start', turn }]
    case 'prompt':
      return content === undefined ? [] : [{ type: 'user_message', content: readBlocks(content) }]
    case 'message':
      return content === undefined ? [] : [readMessage(data)]
    case 'tool_use':
      return convertToolUse(data)
    case 'system_prompt_set':
      return [{ type: 'configuration', values: data }]
    case 'permission_decided':
      return readApproval(data)
    default:
      return []
  }
}

function readMessage(data: JsonObject): ImportedEvent {
  const thinking = getOwnField(data, 'thinkingBlocks')
  const thoughts = Array.isArray(thinking)
    ? thinking.flatMap((block) => {
        const text = isJsonObject(block)
          ? (getOwnField(block, 'thinking') ?? getOwnField(block, 'text'))
          : ''
        return typeof text === 'string' && text !== '' ? [text] : []
      })
    : []
  return {
    type: 'assistant_message',
    content: readBlocks(getOwnField(data, 'content')),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n\n') }),
    ...(thinking !== undefined && { _meta: { thinkingBlocks: thinking } }),
  }
}

/** Converts a call with its result, which is absent if the process died. */
function convertToolUse(data: JsonObject): readonly ImportedEvent[] {
  const call = readToolCall(data)
  if (!call) return []
  const { toolCallId: _id, name: _name, input: _input, result, ...rest } = data
  const fields = Object.keys(rest).length > 0 ? { imported: { fields: rest } } : {}
  const events: ImportedEvent[] = [{ type: 'tool_call', call, ...fields }]
  if (result === undefined) return events
  return [...events, { type: 'tool_result', result: { ...decodeToolResult(result), id: call.id } }]
}

function readApproval(data: JsonObject): readonly ImportedEvent[] {
  const callId = getOwnField(data, 'toolCallId')
  const decision = getOwnField(data, 'decision')
  const input = getOwnField(data, 'updatedInput')
  if (typeof callId !== 'string') return []
  const isYes = typeof decision === 'string' && decision.startsWith('allow')
  return [
    {
      type: 'approval',
      callId,
      decision: isYes ? 'allowed' : 'denied',
      by: 'user',
      ...(isJsonObject(input) && { arguments: input }),
    },
  ]
}
