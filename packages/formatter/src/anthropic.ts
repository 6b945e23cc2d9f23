import { requireFormatOptions } from './text/format-block.ts'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { formatNote, requireArguments, formatValue } from '@toolblocks/protocol/internal'
import type { Media } from './media/find-media.ts'
import type { MediaPart } from './media/to-model-parts.ts'
import type { ModelResponse, ModelCall, ModelRequest } from './model/model-request.ts'
import { anthropicProfile } from './model/profiles.ts'
import {
  type KeptPart,
  keepParts,
  toAssistantParts,
  getProviderData,
} from './request/kept-parts.ts'
import {
  type AnsweredCall,
  type ReadRequest,
  type RequestOptions,
  type RequestTurn,
  readRequest,
} from './request/read-request.ts'
import { formatBlocks } from './text/format-result.ts'
import { oneLine } from './text/model-text.ts'
import type { RequestChange } from './tools/request-change.ts'
import { type ToolNames, readArguments } from './tools/tool-names.ts'

/**
 * The request that Anthropic's `messages.create` takes, without the model and `max_tokens`. The type matches Anthropic's own types without
 * importing them.
 *
 * @see https://docs.claude.com/en/api/messages
 */
export interface AnthropicRequest {
  system?: string
  messages: AnthropicMessage[]
  tools: AnthropicTool[]
  tool_choice?: { type: 'any' }
  /** Converts the names in the model's response back. */
  names: ToolNames
  /** Changes that were needed to make the request valid. */
  changes: readonly RequestChange[]
}

/**
 * A message of a person, with results of calls, or of the model.
 *
 * @see https://docs.claude.com/en/api/messages
 */
type AnthropicMessage =
  | { role: 'user'; content: (AnthropicResult | AnthropicPart)[] }
  | { role: 'assistant'; content: (AnthropicThinking | AnthropicText | AnthropicCall)[] }

/**
 * Text in a message.
 *
 * @see https://docs.claude.com/en/api/messages
 */
interface AnthropicText {
  type: 'text'
  text: string
}

/**
 * A block of the model that goes back unchanged, for example reasoning with its signature.
 *
 * @see https://docs.claude.com/en/api/messages
 */
interface AnthropicThinking {
  type: 'thinking'
  thinking: string
  signature: string
}

/**
 * Text, an image or a PDF in a message or a result.
 *
 * @see https://docs.claude.com/en/api/messages
 */
type AnthropicPart =
  | AnthropicText
  | {
      type: 'image'
      source: {
        type: 'base64'
        media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
        data: string
      }
    }
  | {
      type: 'document'
      source: { type: 'base64'; media_type: 'application/pdf'; data: string }
      title?: string
    }

/**
 * A call of the model.
 *
 * @see https://docs.claude.com/en/api/messages
 */
interface AnthropicCall {
  type: 'tool_use'
  id: string
  name: string
  input: unknown
}

/**
 * The result of a call.
 *
 * @see https://docs.claude.com/en/api/messages
 */
interface AnthropicResult {
  type: 'tool_result'
  tool_use_id: string
  is_error?: boolean
  content: string | AnthropicPart[]
}

/** A tool as the model sees it. */
interface AnthropicTool {
  name: string
  description?: string
  input_schema: { type: 'object' } & JsonObject
}

/**
 * A complete message of Anthropic. A block of an unknown type is stored and sent back.
 *
 * @see https://docs.claude.com/en/api/messages
 */
export interface AnthropicResponse {
  content: readonly { type: string }[]
}

/** The `_meta` key of data that goes back to Anthropic. */
const ANTHROPIC = 'anthropic'

/** Converts a request into a request of Anthropic's Messages API. */
export function toAnthropicRequest(
  request: ModelRequest,
  options: RequestOptions = {},
): AnthropicRequest {
  requireArguments('toAnthropicRequest(request, …)', [request, { messages: 'array' }])
  requireFormatOptions('toAnthropicRequest(request, options)', 'options', options)
  const read = readRequest(request, options.profile ?? anthropicProfile, options)
  const { instructions = '' } = request
  return {
    ...(instructions.trim() !== '' && { system: instructions }),
    messages: read.turns.flatMap((turn) => toMessages(turn, read)),
    tools: read.tools.map(({ inputSchema, ...tool }) => ({
      ...tool,
      input_schema: { ...inputSchema, type: 'object' as const },
    })),
    ...(request.toolChoice === 'required' && { tool_choice: { type: 'any' } }),
    names: read.names,
    changes: read.changes,
  }
}

function toMessages(turn: RequestTurn, { options }: ReadRequest): readonly AnthropicMessage[] {
  switch (turn.role) {
    case 'user': {
      const content = turn.parts.map((part) => (part.type === 'text' ? part : toPart(part.media)))
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const { message, answered } = turn
      const parts = toAssistantParts<AnthropicAssistantPart>(message, ANTHROPIC, {
        calls: answered.map(toCall),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given back as the provider gave it
        own: (part) => [part as unknown as AnthropicThinking],
        // Reasoning without its signature is refused.
        text: () => {
          const text = formatBlocks(message.content, options)
          return text.trim() === '' ? [] : [{ type: 'text', text }]
        },
      })
      // Results come first in the message, before all other content.
      const content = [
        ...answered.map(toResult),
        ...answered.flatMap(({ result }) => result.afterResults.flatMap(toLabelled)),
      ]
      return [
        ...(parts.length === 0 ? [] : [{ role: 'assistant' as const, content: parts }]),
        ...(content.length === 0 ? [] : [{ role: 'user' as const, content }]),
      ]
    }
  }
}

type AnthropicAssistantPart = AnthropicThinking | AnthropicText | AnthropicCall

function toCall({ id, name, arguments: input, call }: AnsweredCall): AnthropicCall {
  return { ...getProviderData(call, ANTHROPIC), type: 'tool_use', id, name, input }
}

/** An error is refused if it has no content, or content other than text. */
function toResult({ id, result: { text, parts, isError } }: AnsweredCall): AnthropicResult {
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: parts.every((part) => part.type === 'text')
      ? text
      : parts.map((part) => (part.type === 'text' ? part : toPart(part.media))),
    ...(isError && { is_error: true }),
  }
}

function toLabelled(part: MediaPart): readonly AnthropicPart[] {
  return [{ type: 'text', text: part.label }, toPart(part)]
}

function toPart({ mediaType, data, filename = '' }: Media): AnthropicPart {
  if (mediaType === 'application/pdf') {
    const title = filename === '' ? {} : { title: filename.slice(0, 200) }
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data }, ...title }
  }
  if (isImageType(mediaType))
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data } }
  // Only a host's own profile leads here: Anthropic has no block for other types.
  return {
    type: 'text',
    text: formatNote(`${oneLine(mediaType)}, which this provider does not accept`),
  }
}

const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

function isImageType(mediaType: string): mediaType is (typeof IMAGES)[number] {
  return IMAGES.some((type) => type === mediaType)
}

/** Reads the response of a model, with the names of its request converted back. Data that Anthropic needs again is stored with it. */
export function readAnthropicResponse(
  response: AnthropicResponse,
  names?: ToolNames,
): ModelResponse {
  requireArguments('readAnthropicResponse(response, …)', [response, { content: 'array' }])
  const { content } = response
  const blocks = content.filter(isJsonObject)
  const calls: ModelCall[] = []
  const parts = blocks.map((block): KeptPart => {
    if (block['type'] !== 'tool_use') return { kind: 'own', part: block }
    calls.push(readCall(block, names))
    return { kind: 'call', index: calls.length - 1 }
  })
  const thoughts = getTexts(blocks, 'thinking', 'thinking')
  return {
    role: 'assistant',
    content: getTexts(blocks, 'text', 'text').map((text) => ({ type: 'text', text })),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n\n') }),
    calls,
    ...(!blocks.every(isPlain) && { _meta: keepParts(ANTHROPIC, parts.filter(isFull)) }),
  }
}

function readCall(block: JsonObject, names: ToolNames | undefined): ModelCall {
  const { type: _, id, name, input, ...extras } = block
  const providerCall = {
    name: formatValue(name),
    arguments: isJsonObject(input) ? input : readArguments(typeof input === 'string' ? input : ''),
  }
  return {
    id: formatValue(id),
    ...(names?.fromProvider(providerCall) ?? providerCall),
    ...(Object.keys(extras).length > 0 && { _meta: { [ANTHROPIC]: extras } }),
  }
}

function getTexts(blocks: readonly JsonObject[], type: string, key: string): readonly string[] {
  return blocks.flatMap((block) => {
    const text = block['type'] === type ? block[key] : undefined
    return typeof text === 'string' && text !== '' ? [text] : []
  })
}

/** Whether a block can be written again from what was read. */
function isPlain(block: JsonObject): boolean {
  return (
    block['type'] === 'tool_use' ||
    (block['type'] === 'text' && (block['citations'] === undefined || block['citations'] === null))
  )
}

/** An empty text is refused when it is sent back. */
function isFull(part: KeptPart): boolean {
  if (part.kind === 'call' || part.part['type'] !== 'text') return true
  const { text } = part.part
  return typeof text === 'string' && text.trim() !== ''
}
export { anthropicProfile } from './model/profiles.ts'
