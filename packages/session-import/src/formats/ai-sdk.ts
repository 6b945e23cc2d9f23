import { type JsonObject, type ToolResult, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { decodeToolResult } from '../convert/decode-tool-result.ts'
import { readArguments, readPart } from '../convert/read-part.ts'
import {
  type ImportedPart,
  readMessages,
  omitFields,
  createModelUsage,
} from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readUsage } from '../convert/read-usage.ts'
import { getInner } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'

/** Whether a document has messages of the AI SDK's user interface, with `parts` or, in version 4, `toolInvocations`. */
export function isAiSdk({ document }: SplitSource): boolean {
  const messages = document.records.slice(0, 20).map(({ value }) => value)
  const hasRoles = messages.every((message) => typeof getOwnField(message, 'role') === 'string')
  return document.shape !== 'lines' && hasRoles && messages.some(hasList)
}

function hasList(message: JsonObject): boolean {
  const parts = getOwnField(message, 'parts')
  const isTyped =
    Array.isArray(parts) &&
    (parts.length === 0 || parts.some((part) => isJsonObject(part) && Object.hasOwn(part, 'type')))
  return isTyped || Array.isArray(getOwnField(message, 'toolInvocations'))
}

export function readAiSdk(source: SplitSource): readonly ReadConversation[] {
  const { fields } = source.document
  const id = getOwnField(fields, 'id') ?? getOwnField(fields, 'chatId')
  return [
    readMessages(source, {
      format: 'ai-sdk',
      id,
      about: fields,
      readParts,
      readFields: (message) => omitFields(message, EVENT_FIELDS),
      readMessage: (message) => {
        const about = getOwnField(message, 'metadata')
        return createModelUsage(getInner(about, 'model'), readUsage(getInner(about, 'usage')))
      },
    }),
  ]
}

/** Fields of a message that an event contains. */
const EVENT_FIELDS: readonly string[] = [
  'role',
  'content',
  'parts',
  'toolInvocations',
  'timestamp',
  'createdAt',
  'created_at',
]

function readParts(message: JsonObject): readonly ImportedPart[] {
  const role = getOwnField(message, 'role')
  const parts = getOwnField(message, 'parts')
  const content = getOwnField(message, 'content')
  if (role === 'system') return [{ kind: 'configuration', values: { role, content, parts } }]
  const by = role === 'user' ? 'user' : 'assistant'
  if (Array.isArray(parts)) return parts.flatMap((part) => readUiPart(part, by))
  const calls = getOwnField(message, 'toolInvocations')
  const texts: readonly ImportedPart[] =
    typeof content === 'string' && content !== '' ? [{ kind: 'said', by, block: content }] : []
  return [...(Array.isArray(calls) ? calls.flatMap((call) => readTool(call)) : []), ...texts]
}

function readUiPart(part: unknown, by: 'user' | 'assistant'): readonly ImportedPart[] {
  if (!isJsonObject(part)) return readPart(part, by)
  const type = formatValue(getOwnField(part, 'type'))
  if (type === 'tool-invocation') return readTool(getOwnField(part, 'toolInvocation'))
  if (type === 'dynamic-tool') return readTool(part)
  const isCall = type.startsWith('tool-') && typeof getOwnField(part, 'toolCallId') === 'string'
  if (isCall && Object.hasOwn(part, 'state'))
    return readTool({ ...part, toolName: type.slice('tool-'.length) })
  return readPart(part, by)
}

/** Reads a call, and its result if its state has one. */
function readTool(part: unknown): readonly ImportedPart[] {
  if (!isJsonObject(part)) return []
  const [id, name] = [getOwnField(part, 'toolCallId'), getOwnField(part, 'toolName')]
  if (typeof id !== 'string' || typeof name !== 'string') return []
  const input = getOwnField(part, 'input') ?? getOwnField(part, 'args')
  const call = { id, name, arguments: readArguments(input) }
  const isWaiting = getOwnField(part, 'state') === 'approval-requested'
  const result = readResult(part)
  return [
    { kind: 'call', call, ...(isWaiting && { isWaiting }) },
    ...readApproval(part, id),
    ...(result ? [{ kind: 'result' as const, result: { ...result, id } }] : []),
  ]
}

/** Reads the decision about a call: `{id, approved, reason?}`. A request without a decision has only an id. */
function readApproval(part: JsonObject, callId: string): readonly ImportedPart[] {
  const approval = getOwnField(part, 'approval')
  const approved = getInner(approval, 'approved')
  if (!isJsonObject(approval) || typeof approved !== 'boolean') return []
  const reason = getOwnField(approval, 'reason')
  const decided = {
    callId,
    decision: approved ? ('allowed' as const) : ('denied' as const),
    by: getOwnField(approval, 'isAutomatic') === true ? ('rule' as const) : ('user' as const),
    ...(typeof reason === 'string' && { reason }),
  }
  const fields = omitFields(approval, ['approved', 'reason'])
  return [{ kind: 'approval', approval: decided, fields }]
}

function readResult(part: JsonObject): ToolResult | undefined {
  switch (getOwnField(part, 'state')) {
    case 'output-available':
      return decodeToolResult(getOwnField(part, 'output'))
    case 'result':
      return decodeToolResult(getOwnField(part, 'result'))
    case 'output-error': {
      const error = getOwnField(part, 'errorText')
      const text = typeof error === 'string' ? error : ''
      return { content: [{ type: 'text', text }], isError: true }
    }
    case 'approval-responded':
      // The program records the denial in this state before it sends it to the model, so the call never runs.
      return getInner(getOwnField(part, 'approval'), 'approved') === false
        ? readDenial(part)
        : undefined
    case 'output-denied':
      return readDenial(part)
    default:
      return undefined
  }
}

function readDenial(part: JsonObject): ToolResult {
  const reason = getInner(getOwnField(part, 'approval'), 'reason')
  const content = typeof reason === 'string' ? [{ type: 'text' as const, text: reason }] : []
  return { content, isError: true, metadata: { outcome: 'denied' } }
}
