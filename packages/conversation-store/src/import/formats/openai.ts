import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { isCline } from './cline.ts'
import { fieldsOfItem, itemParts } from './codex.ts'
import { readBlocks } from '../convert/decode-tool-result.ts'
import { readArguments, readParts } from '../convert/read-part.ts'
import { type Part, readMessages, restOf, spoken } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readUsage } from '../convert/read-usage.ts'
import { inner } from '../records/records.ts'
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

/** Messages of OpenAI's chat completions, or items of its Responses; also plain ones that any provider takes. */
export function isOpenAi(source: SplitSource): boolean {
  const { document } = source
  const records = document.records.slice(0, 20).map(({ value }) => value)
  return (
    document.shape !== 'lines' &&
    document.list !== 'chatMessages' &&
    records.length > 0 &&
    !isAnthropic(source) &&
    !isCline(source) &&
    records.every((record) => isOpenAiMessage(record) || ITEMS.has(field(record, 'type')))
  )
}

/** A message of chat completions, or one that any provider takes. */
export function isOpenAiMessage(record: JsonObject): boolean {
  return ROLES.has(field(record, 'role')) && hasSaid(record)
}

function hasSaid(message: JsonObject): boolean {
  return (
    Object.hasOwn(message, 'content') ||
    Array.isArray(field(message, 'tool_calls')) ||
    isJsonObject(field(message, 'function_call'))
  )
}

export function readOpenAi(source: SplitSource): readonly ReadConversation[] {
  const { fields } = source.document
  const id = field(fields, 'id')
  return [
    readMessages(source, {
      format: 'openai',
      id,
      about: fields,
      partsOf: messageParts,
      fieldsOf: fieldsOfMessage,
      spokenOf: (message) => spoken(field(message, 'model'), readUsage(field(message, 'usage'))),
    }),
  ]
}

/** What an event has of a message. */
const TOLD: readonly string[] = [
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

/** What no event has of a message or an item. */
export function fieldsOfMessage(message: JsonObject): JsonObject {
  return typeof field(message, 'role') === 'string' ? restOf(message, TOLD) : fieldsOfItem(message)
}

export function messageParts(message: JsonObject): readonly Part[] {
  const role = field(message, 'role')
  const content = field(message, 'content')
  if (typeof role !== 'string') return itemParts(message)
  switch (role) {
    case 'user':
      return readParts(content, 'user')
    case 'assistant':
      return [...thoughtOf(message), ...readParts(content, 'assistant'), ...callsOf(message)]
    case 'tool': {
      const id = field(message, 'tool_call_id')
      // The AI SDK's model messages have results as parts.
      if (typeof id !== 'string') return readParts(content, 'user')
      return [{ kind: 'result', result: { id, content: readBlocks(content), isError: false } }]
    }
    case 'function': {
      // The first API for functions had no ids: there was one call at a time, known by its name.
      const id = field(message, 'name')
      if (typeof id !== 'string') return readParts(content, 'user')
      return [{ kind: 'result', result: { id, content: readBlocks(content), isError: false } }]
    }
    default:
      return [{ kind: 'configuration', values: { role, content } }]
  }
}

function thoughtOf(message: JsonObject): readonly Part[] {
  const text = field(message, 'reasoning_content') ?? field(message, 'reasoning')
  return typeof text === 'string' ? [{ kind: 'thought', text, raw: { text } }] : []
}

function callsOf(message: JsonObject): readonly Part[] {
  const calls = field(message, 'tool_calls')
  const given: readonly unknown[] = Array.isArray(calls) ? calls : []
  const inners = given.filter(isJsonObject).flatMap((call) => {
    const inside = field(call, 'function') ?? field(call, 'custom')
    return callOf(inside, field(call, 'id'))
  })
  const first = field(message, 'function_call')
  return [...inners, ...callOf(first, inner(first, 'name'))]
}

function callOf(call: unknown, id: unknown): readonly Part[] {
  const name = inner(call, 'name')
  if (!isJsonObject(call) || typeof id !== 'string' || typeof name !== 'string') return []
  const given = readArguments(field(call, 'arguments') ?? field(call, 'input'))
  return [{ kind: 'call', call: { id, name, arguments: given } }]
}
