import {
  field,
  isJsonObject,
  type JsonObject,
  type ToolResult,
  textOfValue,
} from '@toolblocks/protocol'
import { decodeToolResult } from '../convert/decode-tool-result.ts'
import { readArguments, readPart } from '../convert/read-part.ts'
import { type Part, readMessages, restOf, spoken } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readUsage } from '../convert/read-usage.ts'
import { inner } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'

/** Messages of the AI SDK's user interface: `parts`, in version 4 `toolInvocations`. */
export function isAiSdk({ document }: SplitSource): boolean {
  const messages = document.records.slice(0, 20).map(({ value }) => value)
  const hasRoles = messages.every((message) => typeof field(message, 'role') === 'string')
  return document.shape !== 'lines' && hasRoles && messages.some(hasList)
}

function hasList(message: JsonObject): boolean {
  const parts = field(message, 'parts')
  const isTyped =
    Array.isArray(parts) &&
    (parts.length === 0 || parts.some((part) => isJsonObject(part) && Object.hasOwn(part, 'type')))
  return isTyped || Array.isArray(field(message, 'toolInvocations'))
}

export function readAiSdk(source: SplitSource): readonly ReadConversation[] {
  const { fields } = source.document
  const id = field(fields, 'id') ?? field(fields, 'chatId')
  return [
    readMessages(source, {
      format: 'ai-sdk',
      id,
      about: fields,
      partsOf,
      fieldsOf: (message) => restOf(message, TOLD),
      spokenOf: (message) => {
        const about = field(message, 'metadata')
        return spoken(inner(about, 'model'), readUsage(inner(about, 'usage')))
      },
    }),
  ]
}

/** What an event has of a message. */
const TOLD: readonly string[] = [
  'role',
  'content',
  'parts',
  'toolInvocations',
  'timestamp',
  'createdAt',
  'created_at',
]

function partsOf(message: JsonObject): readonly Part[] {
  const role = field(message, 'role')
  const given = field(message, 'parts')
  const content = field(message, 'content')
  if (role === 'system') return [{ kind: 'configuration', values: { role, content, parts: given } }]
  const by = role === 'user' ? 'user' : 'assistant'
  if (Array.isArray(given)) return given.flatMap((part) => readUiPart(part, by))
  const calls = field(message, 'toolInvocations')
  const said: readonly Part[] =
    typeof content === 'string' && content !== '' ? [{ kind: 'said', by, block: content }] : []
  return [...(Array.isArray(calls) ? calls.flatMap((call) => readTool(call)) : []), ...said]
}

function readUiPart(part: unknown, by: 'user' | 'assistant'): readonly Part[] {
  if (!isJsonObject(part)) return readPart(part, by)
  const type = textOfValue(field(part, 'type'))
  if (type === 'tool-invocation') return readTool(field(part, 'toolInvocation'))
  if (type === 'dynamic-tool') return readTool(part)
  const isCall = type.startsWith('tool-') && typeof field(part, 'toolCallId') === 'string'
  if (isCall && Object.hasOwn(part, 'state'))
    return readTool({ ...part, toolName: type.slice('tool-'.length) })
  return readPart(part, by)
}

/** A call, and its result where it has one by its state. */
function readTool(part: unknown): readonly Part[] {
  if (!isJsonObject(part)) return []
  const [id, name] = [field(part, 'toolCallId'), field(part, 'toolName')]
  if (typeof id !== 'string' || typeof name !== 'string') return []
  const given = field(part, 'input') ?? field(part, 'args')
  const call: Part = { kind: 'call', call: { id, name, arguments: readArguments(given) } }
  const result = resultOf(part)
  return result ? [call, { kind: 'result', result: { ...result, id } }] : [call]
}

function resultOf(part: JsonObject): ToolResult | undefined {
  switch (field(part, 'state')) {
    case 'output-available':
      return decodeToolResult(field(part, 'output'))
    case 'result':
      return decodeToolResult(field(part, 'result'))
    case 'output-error': {
      const error = field(part, 'errorText')
      const text = typeof error === 'string' ? error : ''
      return { content: [{ type: 'text', text }], isError: true }
    }
    case 'output-denied':
      return { content: [], isError: true, metadata: { outcome: 'denied' } }
    default:
      return undefined
  }
}
