import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { itemParts } from '../agents/codex.ts'
import { readBlocks } from '../blocks/read-block.ts'
import { readParts } from '../parts/read-part.ts'
import type { Part } from '../parts/part.ts'
import { readMessages } from '../parts/read-messages.ts'
import type { ReadConversation } from '../read-conversation.ts'
import { readArguments } from '../read-tool-call.ts'
import type { SplitSource } from '../sources/source.ts'

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
export function isOpenAi({ document }: SplitSource): boolean {
  const records = document.records.slice(0, 20).map(({ value }) => value)
  return (
    document.shape !== 'lines' &&
    records.length > 0 &&
    records.every(
      (record) =>
        (ROLES.has(field(record, 'role')) && hasSaid(record)) || ITEMS.has(field(record, 'type')),
    )
  )
}

function hasSaid(message: JsonObject): boolean {
  return Object.hasOwn(message, 'content') || Array.isArray(field(message, 'tool_calls'))
}

export function readOpenAi(source: SplitSource): readonly ReadConversation[] {
  const { fields } = source.document
  const id = field(fields, 'id')
  return [
    readMessages(source, {
      format: 'openai',
      id,
      about: fields,
      partsOf,
    }),
  ]
}

function partsOf(message: JsonObject): readonly Part[] {
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
  if (!Array.isArray(calls)) return []
  return calls.filter(isJsonObject).flatMap((call): readonly Part[] => {
    const id = field(call, 'id')
    const inner = field(call, 'function') ?? field(call, 'custom')
    const name = isJsonObject(inner) ? field(inner, 'name') : undefined
    if (typeof id !== 'string' || typeof name !== 'string' || !isJsonObject(inner)) return []
    const given = readArguments(field(inner, 'arguments') ?? field(inner, 'input'))
    return [{ kind: 'call', call: { id, name, arguments: given } }]
  })
}
