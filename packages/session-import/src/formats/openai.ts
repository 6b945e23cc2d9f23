import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { isCline } from './cline.ts'
import { fieldsOfItem, itemParts } from './codex.ts'
import { readBlocks } from '../convert/decode-tool-result.ts'
import { readArguments, readParts } from '../convert/read-part.ts'
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
import { isAnthropic } from './anthropic.ts'

const ROLES: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])
const ITEMS: ReadonlySet<unknown> = new Set(['function_call', 'function_call_output', 'reasoning'])

/** Whether a source has messages of OpenAI's chat completions, items of its Responses, or plain messages that any provider accepts. */
export function isOpenAi(source: SplitSource): boolean {
  const { document } = source
  const records = document.records.slice(0, 20).map(({ value }) => value)
  return (
    document.shape !== 'lines' &&
    document.list !== 'chatMessages' &&
    records.length > 0 &&
    !isAnthropic(source) &&
    !isCline(source) &&
    records.every((record) => isOpenAiMessage(record) || ITEMS.has(getOwnField(record, 'type')))
  )
}

/** Whether a record is a message of chat completions, or one that any provider accepts. */
export function isOpenAiMessage(record: JsonObject): boolean {
  return ROLES.has(getOwnField(record, 'role')) && hasSaid(record)
}

function hasSaid(message: JsonObject): boolean {
  return (
    Object.hasOwn(message, 'content') ||
    Array.isArray(getOwnField(message, 'tool_calls')) ||
    isJsonObject(getOwnField(message, 'function_call'))
  )
}

export function readOpenAi(source: SplitSource): readonly ReadConversation[] {
  const { fields } = source.document
  const id = getOwnField(fields, 'id')
  return [
    readMessages(source, {
      format: 'openai',
      id,
      about: fields,
      readParts: messageParts,
      readFields: fieldsOfMessage,
      readMessage: (message) =>
        createModelUsage(getOwnField(message, 'model'), readUsage(getOwnField(message, 'usage'))),
    }),
  ]
}

/** Fields of a message that an event contains. */
const EVENT_FIELDS: readonly string[] = [
  'role',
  'content',
  'tool_calls',
  'function_call',
  'tool_call_id',
  'reasoning_content',
  'reasoning',
  'timestamp',
  'createdAt',
  'created_at',
]

/** Returns the fields of a message or an item that no event contains. */
export function fieldsOfMessage(message: JsonObject): JsonObject {
  return typeof getOwnField(message, 'role') === 'string'
    ? omitFields(message, EVENT_FIELDS)
    : fieldsOfItem(message)
}

export function messageParts(message: JsonObject): readonly ImportedPart[] {
  const role = getOwnField(message, 'role')
  const content = getOwnField(message, 'content')
  if (typeof role !== 'string') return itemParts(message)
  switch (role) {
    case 'user':
      return readParts(content, 'user')
    case 'assistant':
      return [...readThought(message), ...readParts(content, 'assistant'), ...readCalls(message)]
    case 'tool': {
      const id = getOwnField(message, 'tool_call_id')
      // The AI SDK's model messages contain results as parts.
      if (typeof id !== 'string') return readParts(content, 'user')
      return [{ kind: 'result', result: { id, content: readBlocks(content), isError: false } }]
    }
    case 'function': {
      // The first API for functions had no ids: only one call ran at a time, and its name identified it.
      const id = getOwnField(message, 'name')
      if (typeof id !== 'string') return readParts(content, 'user')
      return [{ kind: 'result', result: { id, content: readBlocks(content), isError: false } }]
    }
    default:
      return [{ kind: 'configuration', values: { role, content } }]
  }
}

function readThought(message: JsonObject): readonly ImportedPart[] {
  const text = getOwnField(message, 'reasoning_content') ?? getOwnField(message, 'reasoning')
  return typeof text === 'string' ? [{ kind: 'thought', text, raw: { text } }] : []
}

function readCalls(message: JsonObject): readonly ImportedPart[] {
  const calls = getOwnField(message, 'tool_calls')
  const toolCalls: readonly unknown[] = Array.isArray(calls) ? calls : []
  const inners = toolCalls.filter(isJsonObject).flatMap((call) => {
    const inside = getOwnField(call, 'function') ?? getOwnField(call, 'custom')
    return readCall(inside, getOwnField(call, 'id'))
  })
  const first = getOwnField(message, 'function_call')
  return [...inners, ...readCall(first, getInner(first, 'name'))]
}

function readCall(call: unknown, id: unknown): readonly ImportedPart[] {
  const name = getInner(call, 'name')
  if (!isJsonObject(call) || typeof id !== 'string' || typeof name !== 'string') return []
  const callArguments = readArguments(getOwnField(call, 'arguments') ?? getOwnField(call, 'input'))
  return [{ kind: 'call', call: { id, name, arguments: callArguments } }]
}
