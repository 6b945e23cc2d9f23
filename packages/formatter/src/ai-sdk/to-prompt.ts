import {
  type ContentBlock,
  field,
  isJsonObject,
  type JsonObject,
  type ToolDefinition,
} from '@toolblocks/protocol'
import type {
  AssistantMessage,
  GivenResult,
  ModelCall,
  ModelMessage,
  ModelRequest,
} from '../conversation/model-request.ts'
import { formatBlocks } from '../format-blocks.ts'
import type { FormatOptions } from '../format-options.ts'
import { formatResult } from '../format-result.ts'
import type {
  AiSdkFile,
  AiSdkMessage,
  AiSdkPrompt,
  AiSdkReasoning,
  AiSdkResult,
  AiSdkText,
  AiSdkTool,
  ProviderOptions,
} from './ai-sdk-prompt.ts'

/** Where what the AI SDK wants back is kept in `_meta`. */
export const AI_SDK = 'ai-sdk'

/** Writes a request as a language model of the AI SDK takes it. */
export function toPrompt(request: ModelRequest, options: FormatOptions = {}): AiSdkPrompt {
  const { instructions, messages, tools } = request
  const system: AiSdkMessage[] =
    instructions === undefined ? [] : [{ role: 'system', content: instructions }]
  return {
    prompt: [...system, ...messages.flatMap((message) => toMessage(message, options))],
    tools: tools.map(toTool),
  }
}

function toMessage(message: ModelMessage, options: FormatOptions): AiSdkMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: toUserParts(message.content, options) }]
    case 'assistant': {
      const content = [...saidParts(message, options), ...message.calls.map(toCall)]
      return content.length === 0 ? [] : [{ role: 'assistant', content }]
    }
    case 'tool':
      return [{ role: 'tool', content: message.results.map((each) => toResult(each, options)) }]
  }
}

/** Media go beside the text; everything else is written into it. */
function toUserParts(
  blocks: readonly ContentBlock[],
  options: FormatOptions,
): (AiSdkText | AiSdkFile)[] {
  const media = blocks.flatMap((block): AiSdkFile[] =>
    block.type === 'image' || block.type === 'audio'
      ? [{ type: 'file', data: { type: 'data', data: block.data }, mediaType: block.mimeType }]
      : [],
  )
  const words = blocks.filter(({ type }) => type !== 'image' && type !== 'audio')
  const text = formatBlocks(words, options)
  return [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...media]
}

/** Parts that came from the AI SDK go back as they were: a provider checks its signatures on them. */
function saidParts(
  { content, reasoning, _meta }: AssistantMessage,
  options: FormatOptions,
): (AiSdkText | AiSdkReasoning)[] {
  const kept = _meta ? field(_meta, AI_SDK) : undefined
  if (Array.isArray(kept)) return kept.filter(isSaidPart)
  const text = formatBlocks(content, options)
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
  ]
}

function isSaidPart(part: unknown): part is AiSdkText | AiSdkReasoning {
  return (
    isJsonObject(part) &&
    (part['type'] === 'text' || part['type'] === 'reasoning') &&
    typeof part['text'] === 'string'
  )
}

function toCall({ id, name, arguments: input, _meta }: ModelCall) {
  const kept = _meta ? field(_meta, AI_SDK) : undefined
  return {
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given back as the provider gave it
    ...(isJsonObject(kept) && { providerOptions: kept as unknown as ProviderOptions }),
  }
}

function toResult({ call, result, text }: GivenResult, options: FormatOptions): AiSdkResult {
  const value = text ?? formatResult(result, options)
  const type = result.isError ? 'error-text' : 'text'
  return {
    type: 'tool-result',
    toolCallId: call.id,
    toolName: call.name,
    output: { type, value: value === '' ? 'The tool answered with nothing.' : value },
  }
}

function toTool({ name, summary, description, inputSchema }: ToolDefinition): AiSdkTool {
  const words = summary ?? description
  const schema: JsonObject = isJsonObject(inputSchema) ? inputSchema : {}
  return {
    type: 'function',
    name,
    ...(words !== undefined && { description: words }),
    inputSchema: { type: 'object', ...schema },
  }
}
