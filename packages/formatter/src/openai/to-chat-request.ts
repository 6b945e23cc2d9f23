import { field, isJsonObject } from '@toolblocks/protocol'
import type { ModelAnswer, ModelRequest } from '../conversation/model-request.ts'
import { formatBlocks } from '../format-blocks.ts'
import { openaiChatProfile } from '../model-parts/profiles.ts'
import type { MediaPart } from '../model-parts/to-model-parts.ts'
import { keptWithCall } from '../turns/kept-parts.ts'
import {
  partsOf,
  type ReadRequest,
  readRequest,
  type RequestOptions,
} from '../turns/read-request.ts'
import type { AnsweredCall, Turn } from '../turns/to-turns.ts'
import { toUserParts } from '../turns/user-parts.ts'
import { toChatPart } from './media-parts.ts'
import type { ChatCall, ChatMessage, ChatPart, ChatRequest } from './openai-request.ts'

/** Where what servers of Chat Completions want back is kept in `_meta`. */
export const OPENAI_CHAT = 'openai-chat'

/** Writes a request as Chat Completions take it. Servers compatible with OpenAI's need `openaiCompatibleProfile`. */
export function toChatRequest(request: ModelRequest, options: RequestOptions = {}): ChatRequest {
  const read = readRequest(request, options.profile ?? openaiChatProfile, options)
  const { instructions = '' } = request
  const system: ChatMessage[] =
    instructions.trim() === '' ? [] : [{ role: 'system', content: instructions }]
  const tools = read.tools.map(({ inputSchema, ...tool }) => ({
    type: 'function' as const,
    function: { ...tool, parameters: { ...inputSchema } },
  }))
  return {
    messages: [...system, ...read.turns.flatMap((turn) => toMessages(turn, read))],
    ...(tools.length > 0 && { tools }),
    ...(request.toolChoice && { tool_choice: request.toolChoice }),
    names: read.names,
    changes: read.changes,
  }
}

function toMessages(turn: Turn, read: ReadRequest): readonly ChatMessage[] {
  switch (turn.role) {
    case 'user': {
      const parts = toUserParts(turn.message.content, read)
      const content = parts.map((part) => (part.type === 'text' ? part : toChatPart(part.media)))
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const given = turn.answered.map((call) => ({ call, parts: partsOf(call, read) }))
      const behind = given.flatMap(({ parts }) => parts.behind.flatMap(toLabelled))
      return [
        ...saidMessages(turn, read),
        // There is no flag for a failure: the text says it.
        ...given.map(({ call: { id }, parts: { text } }) => ({
          role: 'tool' as const,
          tool_call_id: id,
          content: text,
        })),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, content: behind }]),
      ]
    }
  }
}

function saidMessages(
  { message, answered }: Extract<Turn, { role: 'assistant' }>,
  read: ReadRequest,
): readonly ChatMessage[] {
  const text = formatBlocks(message.content, read.options)
  const calls = answered.map((call) => toCall(call, read))
  if (text.trim() === '' && calls.length === 0) return []
  return [
    {
      ...keptOf(message),
      role: 'assistant',
      content: text.trim() === '' ? null : text,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

function keptOf({ _meta }: ModelAnswer): object {
  const kept = _meta ? field(_meta, OPENAI_CHAT) : undefined
  return isJsonObject(kept) ? kept : {}
}

function toCall({ id, call }: AnsweredCall, { names }: ReadRequest): ChatCall {
  const { name, arguments: given } = names.toProvider(call)
  return {
    ...keptWithCall(call, OPENAI_CHAT),
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }
}

function toLabelled(part: MediaPart): readonly ChatPart[] {
  return [{ type: 'text', text: part.label }, toChatPart(part)]
}
