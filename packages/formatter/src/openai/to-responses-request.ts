import type { ModelRequest } from '../conversation/model-request.ts'
import { formatBlocks } from '../format-blocks.ts'
import { openaiResponsesProfile } from '../model-parts/profiles.ts'
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
import { toResponsesPart } from './media-parts.ts'
import type {
  ResponsesCall,
  ResponsesItem,
  ResponsesKept,
  ResponsesPart,
  ResponsesRequest,
} from './openai-request.ts'

/** Where what OpenAI's Responses want back is kept in `_meta`. */
export const OPENAI_RESPONSES = 'openai-responses'

/** Writes a request as OpenAI's Responses take it. Without `store`, ask for `reasoning.encrypted_content`, which is given back. */
export function toResponsesRequest(
  request: ModelRequest,
  options: RequestOptions = {},
): ResponsesRequest {
  const read = readRequest(request, options.profile ?? openaiResponsesProfile, options)
  const { instructions = '' } = request
  return {
    ...(instructions.trim() !== '' && { instructions }),
    input: read.turns.flatMap((turn) => toItems(turn, read)),
    tools: read.tools.map(({ inputSchema, ...tool }) => ({
      type: 'function',
      ...tool,
      parameters: { ...inputSchema },
      // Strict takes a part of JSON Schema only.
      strict: false,
    })),
    ...(request.toolChoice && { tool_choice: request.toolChoice }),
    names: read.names,
    changes: read.changes,
  }
}

function toItems(turn: Turn, read: ReadRequest): readonly ResponsesItem[] {
  switch (turn.role) {
    case 'user': {
      const parts = toUserParts(turn.message.content, read)
      const content = parts.map((part): ResponsesPart =>
        part.type === 'text'
          ? { type: 'input_text', text: part.text }
          : toResponsesPart(part.media),
      )
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const given = turn.answered.map((call) => ({ call, parts: partsOf(call, read) }))
      const behind = given.flatMap(({ parts }) => parts.behind.flatMap(toLabelled))
      return [
        ...saidItems(turn, read),
        ...given.map(({ call, parts }) => toOutput(call, parts)),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, content: behind }]),
      ]
    }
  }
}

function saidItems(
  { message, answered }: Extract<Turn, { role: 'assistant' }>,
  read: ReadRequest,
): readonly ResponsesItem[] {
  const kept = keptParts(message, OPENAI_RESPONSES)
  if (!kept) {
    const content = formatBlocks(message.content, read.options)
    const words = content.trim() === '' ? [] : [{ role: 'assistant' as const, content }]
    return [...words, ...answered.map((call) => toCall(call, read))]
  }
  return kept.flatMap((each): readonly ResponsesItem[] => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given back as the provider gave it
    if (each.kind === 'own') return [each.part as unknown as ResponsesKept]
    const call = answered[each.index]
    return call ? [toCall(call, read)] : []
  })
}

function toCall({ id, call }: AnsweredCall, { names }: ReadRequest): ResponsesCall {
  const { name, arguments: given } = names.toProvider(call)
  return {
    ...keptWithCall(call, OPENAI_RESPONSES),
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(given),
  }
}

/** There is no flag for a failure: the text says it. */
function toOutput({ id }: AnsweredCall, { text, media }: ModelParts): ResponsesItem {
  const parts = media.flatMap((part) =>
    media.length === 1 ? [toResponsesPart(part)] : toLabelled(part),
  )
  return {
    type: 'function_call_output',
    call_id: id,
    output: parts.length === 0 ? text : [{ type: 'input_text', text }, ...parts],
  }
}

function toLabelled(part: MediaPart): readonly ResponsesPart[] {
  return [{ type: 'input_text', text: part.label }, toResponsesPart(part)]
}
