import { field, isJsonObject, type JsonObject, type ToolResult } from '@toolblocks/protocol'
import { decodeToolResult } from '../blocks/decode-tool-result.ts'
import { readBlocks } from '../blocks/read-block.ts'
import { readArguments, readToolCall } from '../read-tool-call.ts'
import type { Part } from './part.ts'

type Speaker = 'user' | 'assistant'

/** Reads the content of a message: a text, a part or an array of them, of Anthropic, OpenAI, the AI SDK or pi. */
export function readParts(content: unknown, by: Speaker): readonly Part[] {
  if (content === undefined || content === null) return []
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => readPart(part, by))
}

/** Reads one part; nothing for one that only marks a place. */
export function readPart(part: unknown, by: Speaker): readonly Part[] {
  if (!isJsonObject(part)) return [{ kind: 'said', by, block: part }]
  switch (field(part, 'type')) {
    case 'thinking':
    case 'redacted_thinking':
    case 'reasoning':
      return [{ kind: 'thought', text: thoughtOf(part), raw: part }]
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
    case 'toolCall':
    case 'tool-call':
    case 'function_call':
    case 'custom_tool_call':
      return readCall(part) ?? [{ kind: 'said', by, block: part }]
    case 'local_shell_call':
      return readShellCall(part) ?? [{ kind: 'said', by, block: part }]
    case 'tool_result':
    case 'web_search_tool_result':
    case 'mcp_tool_result':
      return [{ kind: 'result', result: readResult(part) }]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ kind: 'result', result: readOutput(part) }]
    case 'tool-result':
      return [{ kind: 'result', result: readModelOutput(part) }]
    case 'step-start':
      return []
    default:
      return [{ kind: 'said', by, block: part }]
  }
}

/** A text, or summaries and contents with texts in them. */
function thoughtOf(part: JsonObject): string {
  const said = ['thinking', 'text', 'reasoning'].map((name) => field(part, name))
  const text = said.find((value) => typeof value === 'string')
  if (typeof text === 'string') return text
  const lists = ['summary', 'content'].map((name) => field(part, name))
  return lists
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((each) => {
      const inner = isJsonObject(each) ? field(each, 'text') : each
      return typeof inner === 'string' ? [inner] : []
    })
    .join('\n\n')
}

function readCall(part: JsonObject): readonly Part[] | undefined {
  const call = readToolCall(part)
  return call && [{ kind: 'call', call }]
}

/** A command that a model runs in a shell of its provider's making. */
function readShellCall(part: JsonObject): readonly Part[] | undefined {
  const id = field(part, 'call_id') ?? field(part, 'id')
  if (typeof id !== 'string') return undefined
  const call = { id, name: 'local_shell', arguments: readArguments(field(part, 'action')) }
  return [{ kind: 'call', call }]
}

function readResult(part: JsonObject): ToolResult {
  const id = field(part, 'tool_use_id')
  const isError = field(part, 'is_error') === true
  return { ...idOf(id), content: readBlocks(field(part, 'content')), isError }
}

/** Of Responses: a text, blocks, or `{content, success}`. */
function readOutput(part: JsonObject): ToolResult {
  const output = field(part, 'output')
  const body = isJsonObject(output) ? field(output, 'content') : output
  const isError = isJsonObject(output) && field(output, 'success') === false
  const content = body === undefined ? readBlocks(JSON.stringify(output)) : readBlocks(body)
  return { ...idOf(field(part, 'call_id')), content, isError }
}

/** Of the AI SDK's model messages: `{type: "text" | "json" | "content" | "error-text" | …, value}`. */
function readModelOutput(part: JsonObject): ToolResult {
  const output = field(part, 'output') ?? field(part, 'result')
  const type = isJsonObject(output) ? field(output, 'type') : undefined
  const isTagged =
    typeof type === 'string' && isJsonObject(output) && Object.hasOwn(output, 'value')
  const value = isTagged ? field(output, 'value') : output
  const read =
    type === 'content' ? { content: readBlocks(value), isError: false } : decodeToolResult(value)
  const isError = read.isError || (isTagged && type.startsWith('error'))
  return {
    ...read,
    ...idOf(field(part, 'toolCallId')),
    isError: isError || field(part, 'isError') === true,
  }
}

function idOf(id: unknown): { id?: string } {
  return typeof id === 'string' ? { id } : {}
}
