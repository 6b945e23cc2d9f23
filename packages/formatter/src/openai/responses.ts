import { requireFormatOptions } from '../text/format-block.ts'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, requireArguments, formatValue } from '@toolblocks/protocol/internal'
import type { MediaPart } from '../media/to-model-parts.ts'
import type { ModelResponse, ModelCall, ModelRequest } from '../model/model-request.ts'
import { openAiResponsesProfile } from '../model/profiles.ts'
import {
  type KeptPart,
  keepParts,
  toAssistantParts,
  getProviderData,
} from '../request/kept-parts.ts'
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

/**
 * The request that OpenAI's `responses.create` takes, without the model. The type matches OpenAI's own types without importing them.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export interface OpenAiResponsesRequest {
  instructions?: string
  input: OpenAiResponsesItem[]
  tools: OpenAiResponsesTool[]
  tool_choice?: 'required'
  /** Converts the names in the model's response back. */
  names: ToolNames
  /** Changes that were needed to make the request valid. */
  changes: readonly RequestChange[]
}

/**
 * An item of the input.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
type OpenAiResponsesItem =
  | { role: 'user'; content: OpenAiResponsesPart[] }
  | { role: 'assistant'; content: string }
  | OpenAiResponsesCall
  | { type: 'function_call_output'; call_id: string; output: string | OpenAiResponsesPart[] }
  | OpenAiResponsesOutputItem

/** An output item that goes back unchanged, for example encrypted reasoning. */
interface OpenAiResponsesOutputItem {
  type: 'reasoning'
  id: string
  summary: { type: 'summary_text'; text: string }[]
}

/**
 * A call of the model.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
interface OpenAiResponsesCall {
  type: 'function_call'
  call_id: string
  name: string
  arguments: string
}

/**
 * Text, an image or a file in a message or a result.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
type OpenAiResponsesPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }

/** A tool as the model sees it. */
interface OpenAiResponsesTool {
  type: 'function'
  name: string
  description?: string
  parameters: { [keyword: string]: unknown }
  strict: false
}

/**
 * A complete response. An item of an unknown type is stored and sent back.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export interface OpenAiResponseReading {
  output: readonly { type: string }[]
}

/** The `_meta` key of data that goes back to the Responses API. */
const OPENAI_RESPONSES = 'openai-responses'

/** Converts a request into a request of OpenAI's Responses API. Without `store`, ask for `reasoning.encrypted_content`, which is sent back. */
export function toOpenAiResponsesRequest(
  request: ModelRequest,
  options: RequestOptions = {},
): OpenAiResponsesRequest {
  requireArguments('toOpenAiResponsesRequest(request, …)', [request, { messages: 'array' }])
  requireFormatOptions('toOpenAiResponsesRequest(request, options)', 'options', options)
  const read = readRequest(request, options.profile ?? openAiResponsesProfile, options)
  const { instructions = '' } = request
  return {
    ...(instructions.trim() !== '' && { instructions }),
    input: read.turns.flatMap((turn) => toItems(turn, read)),
    tools: read.tools.map(({ inputSchema, ...tool }) => ({
      type: 'function',
      ...tool,
      parameters: { ...inputSchema },
      // Strict mode supports only a part of JSON Schema.
      strict: false,
    })),
    ...(request.toolChoice && { tool_choice: request.toolChoice }),
    names: read.names,
    changes: read.changes,
  }
}

function toItems(turn: RequestTurn, { options }: ReadRequest): readonly OpenAiResponsesItem[] {
  switch (turn.role) {
    case 'user': {
      const content = turn.parts.map((part): OpenAiResponsesPart =>
        part.type === 'text'
          ? { type: 'input_text', text: part.text }
          : toResponsesPart(part.media),
      )
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const { message, answered } = turn
      const parts = toAssistantParts<OpenAiResponsesItem>(message, OPENAI_RESPONSES, {
        calls: answered.map(toCall),
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given back as the provider gave it
        own: (part) => [part as unknown as OpenAiResponsesOutputItem],
        text: () => {
          const content = formatBlocks(message.content, options)
          return content.trim() === '' ? [] : [{ role: 'assistant', content }]
        },
      })
      const behind = answered.flatMap(({ result }) => result.afterResults.flatMap(toLabelled))
      return [
        ...parts,
        ...answered.map(toOutput),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, content: behind }]),
      ]
    }
  }
}

function toCall({ id, name, arguments: callArguments, call }: AnsweredCall): OpenAiResponsesCall {
  return {
    ...getProviderData(call, OPENAI_RESPONSES),
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(callArguments),
  }
}

/** There is no flag for a failure, so the text says it. */
function toOutput({ id, result: { text, parts } }: AnsweredCall): OpenAiResponsesItem {
  return {
    type: 'function_call_output',
    call_id: id,
    output: parts.every((part) => part.type === 'text')
      ? text
      : parts.map((part): OpenAiResponsesPart =>
          part.type === 'text'
            ? { type: 'input_text', text: part.text }
            : toResponsesPart(part.media),
        ),
  }
}

function toLabelled(part: MediaPart): readonly OpenAiResponsesPart[] {
  return [{ type: 'input_text', text: part.label }, toResponsesPart(part)]
}

/** Reads the response of a model, with the names of its request converted back. Data that OpenAI needs again is stored with it. */
export function readOpenAiResponse(
  response: OpenAiResponseReading,
  names?: ToolNames,
): ModelResponse {
  requireArguments('readOpenAiResponse(response, …)', [response, { output: 'array' }])
  const { output } = response
  const items = output.filter(isJsonObject)
  const calls: ModelCall[] = []
  const parts = items.map((item): KeptPart => {
    if (item['type'] !== 'function_call') return { kind: 'own', part: item }
    calls.push(readCall(item, names))
    return { kind: 'call', index: calls.length - 1 }
  })
  const texts = items
    .filter(({ type }) => type === 'message')
    .flatMap((item) => textsIn(item, 'content'))
  const thoughts = items
    .filter(({ type }) => type === 'reasoning')
    .flatMap((item) => textsIn(item, 'summary'))
  return {
    role: 'assistant',
    content: texts.map((text) => ({ type: 'text', text })),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n\n') }),
    calls,
    ...(parts.some(({ kind }) => kind === 'own') && { _meta: keepParts(OPENAI_RESPONSES, parts) }),
  }
}

function readCall(item: JsonObject, names: ToolNames | undefined): ModelCall {
  const { type: _, call_id, name, arguments: argumentsText, ...extras } = item
  const providerCall = {
    name: formatValue(name),
    arguments: readArguments(formatValue(argumentsText)),
  }
  return {
    id: formatValue(call_id),
    ...(names?.fromProvider(providerCall) ?? providerCall),
    ...(Object.keys(extras).length > 0 && { _meta: { [OPENAI_RESPONSES]: extras } }),
  }
}

/** Returns the texts of the parts in a field. A refusal is text of the model too. */
function textsIn(item: JsonObject, key: string): readonly string[] {
  const parts = getOwnField(item, key)
  if (!Array.isArray(parts)) return []
  return parts.filter(isJsonObject).flatMap(({ text, refusal }) => {
    const content = typeof text === 'string' ? text : refusal
    return typeof content === 'string' && content !== '' ? [content] : []
  })
}

/** Media in a message or a result of the Responses API. */
function toResponsesPart(media: Media): OpenAiResponsesPart {
  return media.mediaType.startsWith('image/')
    ? { type: 'input_image', image_url: dataUrl(media), detail: 'auto' }
    : { type: 'input_file', filename: getFileName(media), file_data: dataUrl(media) }
}
