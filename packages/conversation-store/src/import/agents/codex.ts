import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { readPart, readParts } from '../parts/read-part.ts'
import type { Part } from '../parts/part.ts'
import { readMessages } from '../parts/read-messages.ts'
import type { ReadConversation } from '../read-conversation.ts'
import type { SplitSource } from '../sources/source.ts'

const WRAPPED: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
])

/** A rollout of Codex: lines with a payload; the first versions wrote the items bare, behind a line with the session's id. */
export function isCodex({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape !== 'lines') return false
  const first = records.slice(0, 5).map(({ value }) => value)
  return first.some(isWrapped) || isBare(first)
}

function isWrapped(record: JsonObject): boolean {
  return WRAPPED.has(field(record, 'type')) && isJsonObject(field(record, 'payload'))
}

function isBare([head, ...items]: readonly JsonObject[]): boolean {
  const hasHead = head !== undefined && typeof field(head, 'id') === 'string'
  return (
    hasHead &&
    Object.hasOwn(head, 'instructions') &&
    items.every((item) => ITEMS.has(field(item, 'type')) || Object.hasOwn(item, 'record_type'))
  )
}

export function readCodex(source: SplitSource): readonly ReadConversation[] {
  const metas = source.document.records.map(({ value }) => {
    const payload = field(value, 'type') === 'session_meta' ? field(value, 'payload') : value
    return isJsonObject(payload) ? field(payload, 'id') : undefined
  })
  const id = metas.find((each) => typeof each === 'string')
  return [readMessages(source, { format: 'codex', id, partsOf })]
}

function partsOf(record: JsonObject): readonly Part[] {
  const type = field(record, 'type')
  const payload = field(record, 'payload')
  if (!isJsonObject(payload)) return itemParts(record)
  if (type === 'response_item') return itemParts(payload)
  // What people and the model said is told a second time as `event_msg`.
  const isSetting = type === 'session_meta' || type === 'turn_context'
  return isSetting ? [{ kind: 'configuration', values: payload }] : []
}

const ITEMS: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
])

/** The parts of an item of OpenAI's Responses; none for what only the program needs. */
export function itemParts(item: JsonObject): readonly Part[] {
  if (!ITEMS.has(field(item, 'type'))) return []
  if (field(item, 'type') !== 'message') return readPart(item, 'assistant')
  const role = field(item, 'role')
  const content = field(item, 'content')
  if (role === 'user' || role === 'assistant') return readParts(content, role)
  return [{ kind: 'configuration', values: { role, content } }]
}
