import type { ApprovalEvent, StoredEvent } from '@toolblocks/conversation-store'
import {
  type ContentBlock,
  type JsonObject,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { requireArguments } from '@toolblocks/protocol/internal'
import type { UIMessage } from 'ai'
import { findRecord, type PartRecord } from './part-record.ts'

/** A message in the making. */
interface OpenMessage {
  fields: JsonObject
  parts: unknown[]
}

/** A part of a tool that waits for its result. */
interface OpenCall {
  part: Record<string, unknown>
  /** Whether the part was made from a message of a page; then only the fields that the result holds are missing. */
  record?: PartRecord
}

/**
 * Converts events of a conversation store into messages of a page. Events of `toEvents` become the messages that they were made from; other events,
 * for example those of `@toolblocks/agent`, become messages with complete results as outputs.
 */
export function toUiMessages(events: readonly (StoredEvent | StoredEvent['event'])[]): UIMessage[] {
  requireArguments('toUiMessages(events)', [events, 'iterable'])
  const messages: OpenMessage[] = []
  const calls = new Map<string, OpenCall[]>()
  for (const entry of events) addEvent('event' in entry ? entry.event : entry, messages, calls)
  return messages.map(({ fields, parts }) => {
    const whole: unknown = { ...fields, parts }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields of a message, and its parts
    return whole as UIMessage
  })
}

function addEvent(
  event: StoredEvent['event'],
  messages: OpenMessage[],
  calls: Map<string, OpenCall[]>,
): void {
  const record = findRecord(event)
  if (record?.message) messages.push({ fields: record.message, parts: [] })
  switch (event.type) {
    case 'user_message': {
      if (!record) messages.push(createMessage('user', messages.length))
      messages.at(-1)?.parts.push(...restoreParts(record?.parts, event.content))
      return
    }
    case 'assistant_message': {
      const parts = restoreParts(record?.parts, event.content)
      const { reasoning } = event
      if (!record && reasoning !== undefined) parts.unshift({ type: 'reasoning', text: reasoning })
      getAssistant(messages).parts.push(...parts)
      return
    }
    case 'configuration':
      if (record) messages.at(-1)?.parts.push(...restoreParts(record.parts, []))
      return
    case 'tool_call': {
      const { id, name, arguments: input } = event.call
      const [kept] = record?.parts ?? []
      const part: Record<string, unknown> = kept
        ? { ...kept.part, ...(kept.input && { input }) }
        : { type: 'dynamic-tool', toolName: name, toolCallId: id, state: 'input-available', input }
      if (!kept || kept.result)
        calls.set(id, [...(calls.get(id) ?? []), { part, ...(kept && { record: kept }) }])
      getAssistant(messages).parts.push(part)
      return
    }
    case 'tool_result': {
      const { id = '' } = event.result
      const call = calls.get(id)?.shift()
      if (call) addResult(call, event.result)
      return
    }
    case 'approval': {
      const call = calls.get(event.callId)?.at(-1)
      if (!call || call.record) return
      const { decision, by, reason = describeRule(event) } = event
      call.part['approval'] = {
        id: event.callId,
        approved: decision === 'allowed',
        ...(reason !== undefined && { reason }),
        ...(by === 'rule' && { isAutomatic: true }),
      }
      return
    }
    case 'turn_start':
    case 'question':
    case 'answer':
    case 'delivery':
    case 'compaction':
    case 'rewind':
    case 'unknown':
  }
}

/** The reason of a denial by a rule, for people. */
function describeRule({ decision, rule, source }: ApprovalEvent): string | undefined {
  if (decision !== 'denied' || rule === undefined) return undefined
  return `by the rule ${rule}${source === undefined ? '' : ` (${source})`}`
}

function createMessage(role: 'user' | 'assistant', index: number): OpenMessage {
  return { fields: { id: `message-${index + 1}`, role }, parts: [] }
}

/** Returns the message of the model that is being made. */
function getAssistant(messages: OpenMessage[]): OpenMessage {
  const last = messages.at(-1)
  if (last?.fields['role'] === 'assistant') return last
  const made = createMessage('assistant', messages.length)
  messages.push(made)
  return made
}

function restoreParts(
  records: readonly PartRecord[] | undefined,
  content: readonly ContentBlock[],
): unknown[] {
  if (!records) return content.flatMap(toPart)
  return records.map(({ part, block }) =>
    block === undefined ? part : restorePart(part, content[block]),
  )
}

function restorePart(part: JsonObject, block: ContentBlock | undefined): JsonObject {
  switch (block?.type) {
    case 'text':
      return { ...part, text: block.text }
    case 'image':
    case 'audio':
      return { ...part, url: `${String(part['url'])}${block.data}` }
    case 'resource':
      return { ...part, url: `${String(part['url'])}${block.resource.blob ?? ''}` }
    case 'resource_link':
    case 'question':
    case undefined:
      return part
  }
}

/** Converts a block of an event that was not made from a message of a page. */
function toPart(block: ContentBlock): JsonObject[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'image':
    case 'audio':
      return [toFile(block.mimeType, block.data)]
    case 'resource': {
      const { blob, text, mimeType = 'application/octet-stream', name } = block.resource
      if (blob === undefined) return text === undefined ? [] : [{ type: 'text', text }]
      return [{ ...toFile(mimeType, blob), ...(name !== undefined && { filename: name }) }]
    }
    case 'resource_link':
      return [
        {
          type: 'source-url',
          sourceId: block.uri,
          url: block.uri,
          ...(block.title !== undefined && { title: block.title }),
        },
      ]
    case 'question':
      return []
  }
}

function toFile(mediaType: string, data: string): JsonObject {
  return { type: 'file', mediaType, url: `data:${mediaType};base64,${data}` }
}

function addResult({ part, record }: OpenCall, result: ToolResult): void {
  if (!record) {
    const isDenied = result.metadata?.outcome === 'denied' && isJsonObject(part['approval'])
    if (isDenied) part['state'] = 'output-denied'
    else Object.assign(part, { state: 'output-available', output: result })
    return
  }
  switch (record.result) {
    case 'result': {
      const { id: _id, ...output } = result
      part['output'] = { ...output, ...(record.id !== undefined && { id: record.id }) }
      return
    }
    case 'text': {
      const [first] = result.content
      part['output'] = first?.type === 'text' ? first.text : ''
      return
    }
    case 'json':
      part['output'] = result.structuredContent
      return
    case 'nothing':
    case undefined:
  }
}
