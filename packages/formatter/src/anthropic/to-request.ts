import type { ModelRequest } from '../conversation/model-request.ts'
import { formatBlocks } from '../format-blocks.ts'
import type { Media } from '../model-parts/media-of.ts'
import { anthropicProfile } from '../model-parts/profiles.ts'
import type { MediaPart, ModelParts } from '../model-parts/to-model-parts.ts'
import { keptParts, keptWithCall } from '../turns/kept-parts.ts'
import {
  partsOf,
  type ReadRequest,
  readRequest,
  type RequestOptions,
} from '../turns/read-request.ts'
import type { AnsweredCall, Turn } from '../turns/to-turns.ts'
import { toUserParts } from '../turns/user-parts.ts'
import type {
  AnthropicCall,
  AnthropicMessage,
  AnthropicPart,
  AnthropicRequest,
  AnthropicResult,
  AnthropicText,
  AnthropicThinking,
} from './anthropic-request.ts'

/** Where what Anthropic wants back is kept in `_meta`. */
export const ANTHROPIC = 'anthropic'

/** Writes a request as Anthropic's Messages take it. */
export function toRequest(request: ModelRequest, options: RequestOptions = {}): AnthropicRequest {
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

function toMessages(turn: Turn, read: ReadRequest): readonly AnthropicMessage[] {
  switch (turn.role) {
    case 'user': {
      const parts = toUserParts(turn.message.content, read)
      const content = parts.map((part) => (part.type === 'text' ? part : toPart(part.media)))
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const said = saidParts(turn, read)
      const given = turn.answered.map((call) => ({ call, parts: partsOf(call, read) }))
      // Results stand first in the message, all other content behind them.
      const content = [
        ...given.map(({ call, parts }) => toResult(call, parts)),
        ...given.flatMap(({ parts }) => parts.behind.flatMap(toLabelled)),
      ]
      return [
        ...(said.length === 0 ? [] : [{ role: 'assistant' as const, content: said }]),
        ...(content.length === 0 ? [] : [{ role: 'user' as const, content }]),
      ]
    }
  }
}

type Said = AnthropicThinking | AnthropicText | AnthropicCall

function saidParts(
  { message, answered }: Extract<Turn, { role: 'assistant' }>,
  read: ReadRequest,
): Said[] {
  const kept = keptParts(message, ANTHROPIC)
  if (!kept) {
    // A thought without its signature is refused.
    const text = formatBlocks(message.content, read.options)
    const words: Said[] = text.trim() === '' ? [] : [{ type: 'text', text }]
    return [...words, ...answered.map((call) => toCall(call, read))]
  }
  return kept.flatMap((each): Said[] => {
    if (each.kind === 'own') {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given back as the provider gave it
      return [each.part as unknown as AnthropicThinking]
    }
    const call = answered[each.index]
    return call ? [toCall(call, read)] : []
  })
}

function toCall({ id, call }: AnsweredCall, { names }: ReadRequest): AnthropicCall {
  const { name, arguments: input } = names.toProvider(call)
  return { ...keptWithCall(call, ANTHROPIC), type: 'tool_use', id, name, input }
}

/** An error is refused without content, and with content that is no text. */
function toResult({ id }: AnsweredCall, { text, media, isError }: ModelParts): AnthropicResult {
  const parts = media.flatMap((part) => (media.length === 1 ? [toPart(part)] : toLabelled(part)))
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: parts.length === 0 ? text : [{ type: 'text', text }, ...parts],
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
  // Only a profile of the host's own gets here: Anthropic has no block for other types.
  return { type: 'text', text: `[${mediaType}, which cannot be given]` }
}

const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

function isImageType(mediaType: string): mediaType is (typeof IMAGES)[number] {
  return IMAGES.some((type) => type === mediaType)
}
