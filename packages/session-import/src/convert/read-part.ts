import {
  type ContentBlock,
  type JsonObject,
  type ToolCall,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { getOwnField, formatValue } from '@toolblocks/protocol/internal'
import { parseInner } from '../records/records.ts'
import { decodeToolResult, readBlocks } from './decode-tool-result.ts'
import type { ImportedPart } from './read-messages.ts'

type Speaker = 'user' | 'assistant'

/** Reads the content of a message: a text, a part or an array of them, of Anthropic, OpenAI, the AI SDK or pi. */
export function readParts(content: unknown, by: Speaker): readonly ImportedPart[] {
  if (content === undefined || content === null) return []
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => readPart(part, by))
}

/** Reads one part. Returns an empty list for a part that only marks a place. */
export function readPart(part: unknown, by: Speaker): readonly ImportedPart[] {
  if (!isJsonObject(part)) return [{ kind: 'said', by, block: part }]
  switch (getOwnField(part, 'type')) {
    case 'thinking':
    case 'redacted_thinking':
    case 'reasoning':
      return [{ kind: 'thought', text: readThought(part), raw: part }]
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
    case 'toolCall':
    case 'tool-call':
    case 'function_call':
    case 'custom_tool_call':
      return readCall(part) ?? [{ kind: 'said', by, block: part }]
    case 'local_shell_call':
    case 'tool_search_call':
    case 'web_search_call':
    case 'image_generation_call':
      return readHostedCall(part) ?? [{ kind: 'said', by, block: part }]
    case 'tool_result':
    case 'web_search_tool_result':
    case 'mcp_tool_result':
      return [{ kind: 'result', result: readResult(part) }]
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return [{ kind: 'result', result: readOutput(part) }]
    case 'tool-result':
      return [{ kind: 'result', result: readModelOutput(part) }]
    case 'step-start':
      return []
    default:
      return [{ kind: 'said', by, block: part }]
  }
}

/** Returns the text of a thought: one text, or the texts in its summaries and contents. */
function readThought(part: JsonObject): string {
  const values = ['thinking', 'text', 'reasoning'].map((name) => getOwnField(part, name))
  const text = values.find((value) => typeof value === 'string')
  if (typeof text === 'string') return text
  const lists = ['summary', 'content'].map((name) => getOwnField(part, name))
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((each) => {
      const inner = isJsonObject(each) ? getOwnField(each, 'text') : each
      return typeof inner === 'string' ? [inner] : []
    })
    .join('\n\n')
}

function readCall(part: JsonObject): readonly ImportedPart[] | undefined {
  const call = readToolCall(part)
  return call && [{ kind: 'call', call }]
}

/** The built-in tools of OpenAI: the name of each, and the field that holds its arguments. */
const HOSTED: Readonly<Record<string, readonly [name: string, given: string]>> = {
  local_shell_call: ['local_shell', 'action'],
  tool_search_call: ['tool_search', 'arguments'],
  web_search_call: ['web_search', 'action'],
  image_generation_call: ['image_generation', 'revised_prompt'],
}

/** Reads a call of a built-in tool of OpenAI. A generated picture is in the same item. */
function readHostedCall(part: JsonObject): readonly ImportedPart[] | undefined {
  const type = String(getOwnField(part, 'type'))
  const [name, field] = Object.hasOwn(HOSTED, type) ? (HOSTED[type] ?? []) : []
  const id = getOwnField(part, 'call_id') ?? getOwnField(part, 'id')
  if (name === undefined || field === undefined) return undefined
  // A search has an id only if the client must answer it.
  const known = typeof id === 'string' ? id : name.endsWith('_search') ? name : undefined
  if (known === undefined) return undefined
  const call = { id: known, name, arguments: readArguments(getOwnField(part, field)) }
  const content = type === 'image_generation_call' ? readDrawn(part) : readSearched(part)
  if (!content) return [{ kind: 'call', call }]
  return [
    { kind: 'call', call },
    { kind: 'result', result: { id: known, content, isError: false } },
  ]
}

function readDrawn(part: JsonObject): readonly ContentBlock[] | undefined {
  const data = getOwnField(part, 'result')
  const format = formatValue(getOwnField(part, 'output_format') ?? 'png')
  return typeof data === 'string'
    ? readBlocks({ type: 'image', data, mimeType: `image/${format}` })
    : undefined
}

/** Only the model sees what a web search found; the item records only that the search ended. */
function readSearched(part: JsonObject): readonly ContentBlock[] | undefined {
  const hasEnded = getOwnField(part, 'status') === 'completed'
  return hasEnded && getOwnField(part, 'type') === 'web_search_call' ? [] : undefined
}

function readResult(part: JsonObject): ToolResult {
  const id = getOwnField(part, 'tool_use_id')
  const isError = getOwnField(part, 'is_error') === true
  return { ...readId(id), content: readBlocks(getOwnField(part, 'content')), isError }
}

/** Reads an output of Responses: a text, blocks, or `{content, success}`. */
function readOutput(part: JsonObject): ToolResult {
  const output = getOwnField(part, 'output') ?? getOwnField(part, 'tools')
  const body = isJsonObject(output) ? getOwnField(output, 'content') : output
  const isError = isJsonObject(output) && getOwnField(output, 'success') === false
  const content = body === undefined ? readBlocks(JSON.stringify(output)) : readBlocks(body)
  const isSearch = getOwnField(part, 'type') === 'tool_search_output'
  const id = getOwnField(part, 'call_id') ?? (isSearch ? 'tool_search' : undefined)
  return { ...readId(id), content, isError }
}

/** Reads an output of the AI SDK's model messages: `{type: "text" | "json" | "content" | "error-text" | …, value}`. */
function readModelOutput(part: JsonObject): ToolResult {
  const output =
    getOwnField(part, 'output') ?? getOwnField(part, 'result') ?? getOwnField(part, 'content')
  const type = isJsonObject(output) ? getOwnField(output, 'type') : undefined
  const isTagged =
    typeof type === 'string' && isJsonObject(output) && Object.hasOwn(output, 'value')
  const value = isTagged ? getOwnField(output, 'value') : output
  const read =
    type === 'content' ? { content: readBlocks(value), isError: false } : decodeToolResult(value)
  const isError = read.isError || (isTagged && type.startsWith('error'))
  return {
    ...read,
    ...readId(getOwnField(part, 'toolCallId')),
    isError: isError || getOwnField(part, 'isError') === true,
  }
}

function readId(id: unknown): { id?: string } {
  return typeof id === 'string' ? { id } : {}
}

/** Names of a call's id, name and arguments, in the order in which they are tried. */
const IDS: readonly string[] = ['toolCallId', 'callId', 'call_id', 'id']
const NAMES: readonly string[] = ['name', 'toolName']
const ARGUMENTS: readonly string[] = ['arguments', 'input', 'args']

/** Reads a call as older systems and providers write it; returns `undefined` if it has no id or no name. */
export function readToolCall(value: unknown): ToolCall | undefined {
  if (!isJsonObject(value)) return undefined
  const [id, name] = [first(value, IDS), first(value, NAMES)]
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { id, name, arguments: readArguments(first(value, ARGUMENTS)) }
}

function first(value: JsonObject, names: readonly string[]): unknown {
  const name = names.find((each) => Object.hasOwn(value, each))
  return name === undefined ? undefined : getOwnField(value, name)
}

/** Reads arguments from an object or from its JSON. Any other value is put unchanged under `input`. */
export function readArguments(value: unknown): JsonObject {
  if (isJsonObject(value)) return value
  if (value === undefined || value === null || value === '') return {}
  const parsed = typeof value === 'string' ? parseInner(value) : value
  return isJsonObject(parsed) ? parsed : { input: value }
}
