import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { readBlocks } from '../blocks/read-block.ts'
import { decodeToolResult } from '../blocks/decode-tool-result.ts'
import type { TokenUsage } from '@toolblocks/protocol'
import type { Tally } from '../counts.ts'
import type { ImportedEvent } from '../imported-event.ts'
import { readToolCall } from '../read-tool-call.ts'
import { inner, usageOf } from '../read-usage.ts'

/** What an event of Lace becomes, by its type and data; nothing for one that no event stands for. */
export function convertEvent(type: unknown, data: unknown): ImportedEvent | undefined {
  const fields = isJsonObject(data) ? data : {}
  switch (type) {
    case 'USER_MESSAGE':
      return messageOf('user_message', data)
    case 'AGENT_MESSAGE':
      return messageOf('assistant_message', data)
    case 'TOOL_CALL': {
      const call = readToolCall(data)
      return call && { type: 'tool_call', call, ...rest(fields, CALL_FIELDS) }
    }
    case 'TOOL_RESULT':
      if (!isJsonObject(data)) return undefined
      return { type: 'tool_result', result: decodeToolResult(data), ...rest(fields, RESULT_FIELDS) }
    case 'TOOL_APPROVAL_RESPONSE':
      return approvalOf(fields)
    case 'SYSTEM_PROMPT':
      return typeof data === 'string'
        ? { type: 'configuration', values: { systemPrompt: data } }
        : undefined
    case 'USER_SYSTEM_PROMPT':
      return typeof data === 'string'
        ? { type: 'configuration', values: { userSystemPrompt: data } }
        : undefined
    default:
      return undefined
  }
}

const CALL_FIELDS: readonly string[] = ['id', 'callId', 'name', 'toolName', 'arguments', 'input']
const RESULT_FIELDS: readonly string[] = [
  'id',
  'callId',
  'content',
  'isError',
  'status',
  'metadata',
  'output',
  'success',
  'error',
]

function rest(data: JsonObject, used: readonly string[]): { imported?: { fields: JsonObject } } {
  const others = Object.entries(data).filter(([name]) => !used.includes(name))
  return others.length === 0 ? {} : { imported: { fields: Object.fromEntries(others) } }
}

/** A text, later with what it cost beside it. */
function messageOf(
  type: 'user_message' | 'assistant_message',
  data: unknown,
): ImportedEvent | undefined {
  const fields = isJsonObject(data) ? data : {}
  const content = typeof data === 'string' ? data : field(fields, 'content')
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  const message = { content: readBlocks(content), ...rest(fields, ['content']) }
  if (type === 'user_message') return { type, ...message }
  const usage = usageOfMessage(field(fields, 'tokenUsage'))
  return { type, ...message, ...(usage && { usage }) }
}

/** Of the message, which later stands beside what the whole thread took. */
function usageOfMessage(told: unknown): TokenUsage | undefined {
  const usage = inner(told, 'message') ?? told
  return usageOf({
    inputTokens: inner(usage, 'promptTokens'),
    outputTokens: inner(usage, 'completionTokens'),
  })
}

/** What is not known as a yes is a no. */
function approvalOf(data: JsonObject): ImportedEvent | undefined {
  const callId = field(data, 'toolCallId')
  const decision = field(data, 'decision')
  if (typeof callId !== 'string') return undefined
  const isYes = typeof decision === 'string' && decision.startsWith('allow')
  return {
    type: 'approval',
    callId,
    decision: isYes ? 'allowed' : 'denied',
    by: 'user',
    ...(typeof decision === 'string' && { reason: decision }),
  }
}

/** Counts what an event of Lace says. */
export function countEvent(type: unknown, data: unknown, tally: Tally): void {
  const fields = isJsonObject(data) ? data : {}
  const content = typeof data === 'string' ? data : field(fields, 'content')
  const isMessage = typeof content === 'string' || Array.isArray(content)
  if (type === 'USER_MESSAGE' && isMessage) tally.userMessages += 1
  else if (type === 'AGENT_MESSAGE' && isMessage) {
    if (content.length > 0 || typeof content === 'string') tally.assistantMessages += 1
  } else if (type === 'TOOL_CALL' && readToolCall(data)) tally.calls += 1
  else if (type === 'TOOL_RESULT' && isJsonObject(data)) {
    tally.results += 1
    if (decodeToolResult(data).isError) tally.errors += 1
  } else if (type === 'TOOL_APPROVAL_RESPONSE' && typeof fields['toolCallId'] === 'string') return
  else if (/^(?:USER_)?SYSTEM_PROMPT$/.test(String(type)) && typeof data === 'string')
    tally.configurations += 1
  else tally.unknown += 1
}
