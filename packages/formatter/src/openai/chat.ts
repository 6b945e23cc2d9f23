import { requireFormatOptions } from '../text/format-block.ts'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, requireArguments, formatValue } from '@toolblocks/protocol/internal'
import type { MediaPart } from '../media/to-model-parts.ts'
import type { ModelResponse, ModelCall, ModelRequest } from '../model/model-request.ts'
import { openAiChatProfile } from '../model/profiles.ts'
import { getProviderData } from '../request/kept-parts.ts'
import {
  type AnsweredCall,
  type ReadRequest,
  type RequestOptions,
  type RequestTurn,
  readRequest,
} from '../request/read-request.ts'
import { formatBlocks } from '../text/format-result.ts'
import type { RequestChange } from '../tools/request-change.ts'
import { type ToolNames, readArguments } from '../tools/tool-names.ts'
import { dataUrl, getFileName, type Media } from '../media/find-media.ts'

/** The request that `chat.completions.create` of OpenAI and compatible servers takes, without the model. */
export interface OpenAiChatRequest {
  messages: OpenAiChatMessage[]
  /** Absent if there are no tools: an empty list is refused. */
  tools?: OpenAiChatTool[]
  tool_choice?: 'required'
  /** Converts the names in the model's response back. */
  names: ToolNames
  /** Changes that were needed to make the request valid. */
  changes: readonly RequestChange[]
}

/**
 * A message by its role: instructions, a person, the model, or the result of a call.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
type OpenAiChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: OpenAiChatPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAiChatCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }

/**
 * Text, an image, a file or audio in a message of a person.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
type OpenAiChatPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; file: { filename: string; file_data: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }

/**
 * A call of the model.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
interface OpenAiChatCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** A tool as the model sees it. */
interface OpenAiChatTool {
  type: 'function'
  function: {
    name: string
    description?: string
    parameters: JsonObject & { [keyword: string]: unknown }
  }
}

/**
 * The complete message of a choice.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export interface OpenAiChatReading {
  content?: string | null
  refusal?: string | null
  tool_calls?: readonly object[] | null
}

/** The `_meta` key of data that goes back to Chat Completions servers. */
const OPENAI_CHAT = 'openai-chat'

/** Converts a request into a Chat Completions request. OpenAI-compatible servers need `openAiCompatibleProfile`. */
export function toOpenAiChatRequest(
  request: ModelRequest,
  options: RequestOptions = {},
): OpenAiChatRequest {
  requireArguments('toOpenAiChatRequest(request, …)', [request, { messages: 'array' }])
  requireFormatOptions('toOpenAiChatRequest(request, options)', 'options', options)
  const read = readRequest(request, options.profile ?? openAiChatProfile, options)
  const { instructions = '' } = request
  const system: OpenAiChatMessage[] =
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

function toMessages(turn: RequestTurn, read: ReadRequest): readonly OpenAiChatMessage[] {
  switch (turn.role) {
    case 'user': {
      const content = turn.parts.map((part) =>
        part.type === 'text' ? part : toChatPart(part.media),
      )
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const { answered } = turn
      const behind = answered.flatMap(({ result }) => result.afterResults.flatMap(toLabelled))
      return [
        ...toAssistantMessages(turn, read),
        // There is no flag for a failure, so the text says it.
        ...answered.map(({ id, result }) => ({
          role: 'tool' as const,
          tool_call_id: id,
          content: result.text,
        })),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, content: behind }]),
      ]
    }
  }
}

function toAssistantMessages(
  { message, answered }: Extract<RequestTurn, { role: 'assistant' }>,
  read: ReadRequest,
): readonly OpenAiChatMessage[] {
  const text = formatBlocks(message.content, read.options)
  const calls = answered.map(toCall)
  if (text.trim() === '' && calls.length === 0) return []
  return [
    {
      ...getProviderData(message, OPENAI_CHAT),
      role: 'assistant',
      content: text.trim() === '' ? null : text,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ]
}

function toCall({ id, name, arguments: callArguments, call }: AnsweredCall): OpenAiChatCall {
  return {
    ...getProviderData(call, OPENAI_CHAT),
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(callArguments) },
  }
}

function toLabelled(part: MediaPart): readonly OpenAiChatPart[] {
  return [{ type: 'text', text: part.label }, toChatPart(part)]
}

/** Reasoning fields of servers other than OpenAI's, which they need again. */
const THOUGHTS = ['reasoning_content', 'reasoning', 'reasoning_details'] as const

/** Reads the response of a model, with the names of its request converted back. Data that the server needs again is stored with it. */
export function readOpenAiChatMessage(answer: OpenAiChatReading, names?: ToolNames): ModelResponse {
  requireArguments('readOpenAiChatMessage(answer, …)', [answer, 'object'])
  const fields: JsonObject = { ...answer }
  const { content, refusal, tool_calls: calls } = answer
  const texts = [content, refusal].filter((text) => typeof text === 'string' && text !== '')
  const kept = THOUGHTS.flatMap((key) => {
    const value = getOwnField(fields, key)
    return value === undefined || value === null ? [] : [[key, value] as const]
  })
  const thought = kept.find(([, value]) => typeof value === 'string' && value !== '')?.[1]
  return {
    role: 'assistant',
    content: texts.map((text) => ({ type: 'text', text: String(text) })),
    ...(typeof thought === 'string' && { reasoning: thought }),
    calls: (calls ?? []).filter(isJsonObject).flatMap((call) => readCall(call, names)),
    ...(kept.length > 0 && { _meta: { [OPENAI_CHAT]: Object.fromEntries(kept) } }),
  }
}

function readCall(call: JsonObject, names: ToolNames | undefined): readonly ModelCall[] {
  const { id, type: _, function: called, ...extras } = call
  if (!isJsonObject(called)) return []
  const { name, arguments: argumentsText, ...inside } = called
  const providerCall = {
    name: formatValue(name),
    arguments: readArguments(typeof argumentsText === 'string' ? argumentsText : ''),
  }
  const { index: _index, ...kept } = { ...inside, ...extras }
  return [
    {
      id: formatValue(id),
      ...(names?.fromProvider(providerCall) ?? providerCall),
      ...(Object.keys(kept).length > 0 && { _meta: { [OPENAI_CHAT]: kept } }),
    },
  ]
}

/** Media in a Chat Completions message. */
function toChatPart(media: Media): OpenAiChatPart {
  const { mediaType, data } = media
  if (mediaType.startsWith('image/'))
    return { type: 'image_url', image_url: { url: dataUrl(media) } }
  if (mediaType === 'audio/wav' || mediaType === 'audio/mpeg') {
    const format = mediaType === 'audio/wav' ? 'wav' : 'mp3'
    return { type: 'input_audio', input_audio: { data, format } }
  }
  return { type: 'file', file: { filename: getFileName(media), file_data: dataUrl(media) } }
}
