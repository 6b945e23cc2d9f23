import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import type { ModelAnswer, ModelRequest } from '../conversation/model-request.ts'
import { formatBlocks } from '../format-blocks.ts'
import type { FormatOptions } from '../format-options.ts'
import type { Media } from '../model-parts/media-of.ts'
import { openaiCompatibleProfile } from '../model-parts/profiles.ts'
import type { MediaPart, ModelParts } from '../model-parts/to-model-parts.ts'
import { keptParts } from '../turns/kept-parts.ts'
import {
  partsOf,
  type ReadRequest,
  readRequest,
  type RequestOptions,
} from '../turns/read-request.ts'
import type { AnsweredCall, Turn } from '../turns/to-turns.ts'
import { toUserParts } from '../turns/user-parts.ts'
import type {
  AiSdkCall,
  AiSdkFile,
  AiSdkMessage,
  AiSdkOutput,
  AiSdkPrompt,
  AiSdkReasoning,
  AiSdkResult,
  AiSdkText,
  ProviderOptions,
} from './ai-sdk-prompt.ts'

/** Where what the AI SDK wants back is kept in `_meta`. */
export const AI_SDK = 'ai-sdk'

/** Writes a request as a language model of the AI SDK takes it: by `aiSdkProfile(model)`, else as a server compatible with OpenAI's does. */
export function toPrompt(request: ModelRequest, options: RequestOptions = {}): AiSdkPrompt {
  // Content of the AI SDK cannot say that a call failed.
  const profile = { ...(options.profile ?? openaiCompatibleProfile), inFailedResults: false }
  const read = readRequest(request, profile, options)
  const { instructions = '' } = request
  const system: AiSdkMessage[] =
    instructions === '' ? [] : [{ role: 'system', content: instructions }]
  return {
    prompt: [...system, ...read.turns.flatMap((turn) => toMessages(turn, read))],
    tools: read.tools.map((tool) => ({ type: 'function', ...tool })),
    ...(request.toolChoice && { toolChoice: { type: request.toolChoice } }),
    names: read.names,
    changes: read.changes,
  }
}

function toMessages(turn: Turn, read: ReadRequest): AiSdkMessage[] {
  switch (turn.role) {
    case 'user': {
      const parts = toUserParts(turn.message.content, read)
      const content = parts.map((part) => (part.type === 'text' ? part : toFile(part.media)))
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const { message, answered } = turn
      const said = saidParts(
        message,
        answered.map((call) => toCall(call, read)),
        read.options,
      )
      const given = answered.map((call) => ({ call, parts: partsOf(call, read) }))
      const results = given.map(({ call, parts }) => toResult(call, parts, read))
      const behind = given.flatMap(({ parts }) => parts.behind.flatMap(toLabelled))
      return [
        ...(said.length === 0 ? [] : [{ role: 'assistant' as const, content: said }]),
        ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, content: behind }]),
      ]
    }
  }
}

/** Parts that came from the AI SDK go back as they were, in their order: a provider checks its signatures on them. */
function saidParts(
  message: ModelAnswer,
  calls: readonly AiSdkCall[],
  options: FormatOptions,
): (AiSdkText | AiSdkReasoning | AiSdkCall)[] {
  const kept = keptParts(message, AI_SDK)
  if (kept)
    return kept.flatMap((each): (AiSdkText | AiSdkReasoning | AiSdkCall)[] => {
      if (each.kind === 'own') return isSaidPart(each.part) ? [each.part] : []
      const call = calls[each.index]
      return call ? [call] : []
    })
  const { content, reasoning } = message
  const text = formatBlocks(content, options)
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls,
  ]
}

/** A text without words is refused by providers, except where it carries a signature. */
function isSaidPart(part: object): part is AiSdkText | AiSdkReasoning {
  if (!isJsonObject(part) || typeof part['text'] !== 'string') return false
  if (part['type'] === 'reasoning') return true
  return part['type'] === 'text' && (part['text'].trim() !== '' || isSigned(part))
}

function isSigned({ providerOptions }: JsonObject): boolean {
  const google = isJsonObject(providerOptions) ? field(providerOptions, 'google') : undefined
  return isJsonObject(google) && typeof field(google, 'thoughtSignature') === 'string'
}

function toCall({ id, call }: AnsweredCall, { names }: ReadRequest): AiSdkCall {
  const kept = call._meta ? field(call._meta, AI_SDK) : undefined
  const { name, arguments: input } = names.toProvider(call)
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given back as the provider gave it
    ...(isJsonObject(kept) && { providerOptions: kept as unknown as ProviderOptions }),
  }
}

function toResult(
  { id, call }: AnsweredCall,
  parts: ModelParts,
  { names }: ReadRequest,
): AiSdkResult {
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: names.toProvider(call).name,
    output: toOutput(parts),
  }
}

function toOutput({ text, media, isError }: ModelParts): AiSdkOutput {
  if (isError) return { type: 'error-text', value: text }
  if (media.length === 0) return { type: 'text', value: text }
  const files = media.flatMap((part) => (media.length === 1 ? [toFile(part)] : toLabelled(part)))
  return { type: 'content', value: [{ type: 'text', text }, ...files] }
}

function toLabelled(part: MediaPart): (AiSdkText | AiSdkFile)[] {
  return [{ type: 'text', text: part.label }, toFile(part)]
}

function toFile({ data, mediaType, filename }: Media): AiSdkFile {
  return {
    type: 'file',
    data: { type: 'data', data },
    mediaType,
    ...(filename !== undefined && filename !== '' && { filename }),
  }
}
