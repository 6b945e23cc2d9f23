import { field, isJsonObject } from '@toolblocks/protocol'
import type { ModelRequest } from '../conversation/model-request.ts'
import { formatBlocks } from '../format-blocks.ts'
import type { Media } from '../model-parts/media-of.ts'
import { googleProfile } from '../model-parts/profiles.ts'
import type { ModelParts } from '../model-parts/to-model-parts.ts'
import { keptParts, keptWithCall } from '../turns/kept-parts.ts'
import {
  partsOf,
  type ReadRequest,
  readRequest,
  type RequestOptions,
} from '../turns/read-request.ts'
import type { AnsweredCall, Turn } from '../turns/to-turns.ts'
import { toUserParts } from '../turns/user-parts.ts'
import type { GoogleContent, GooglePart, GoogleRequest } from './google-request.ts'

/** Where what Google wants back is kept in `_meta`. */
export const GOOGLE = 'google'

/** Writes a request as Gemini takes it. Models before the third generation need `google2Profile`. */
export function toRequest(request: ModelRequest, options: RequestOptions = {}): GoogleRequest {
  const read = readRequest(request, options.profile ?? googleProfile, options)
  const { instructions = '' } = request
  const functionDeclarations = read.tools.map(({ inputSchema, ...tool }) => ({
    ...tool,
    parametersJsonSchema: inputSchema,
  }))
  return {
    contents: read.turns.flatMap((turn) => toContents(turn, read)),
    config: {
      ...(instructions.trim() !== '' && { systemInstruction: instructions }),
      ...(functionDeclarations.length > 0 && { tools: [{ functionDeclarations }] }),
      ...(request.toolChoice === 'required' && {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text is what the enum has
        toolConfig: { functionCallingConfig: { mode: 'ANY' as never } },
      }),
    },
    names: read.names,
    changes: read.changes,
  }
}

function toContents(turn: Turn, read: ReadRequest): readonly GoogleContent[] {
  switch (turn.role) {
    case 'user': {
      const said = toUserParts(turn.message.content, read)
      const parts = said.map((part) =>
        part.type === 'text' ? { text: part.text } : toInline(part.media),
      )
      return parts.length === 0 ? [] : [{ role: 'user', parts }]
    }
    case 'assistant': {
      const said = saidParts(turn, read)
      const given = turn.answered.map((call) => ({ call, parts: partsOf(call, read) }))
      const results = given.map(({ call, parts }) => toResponse(call, parts, read))
      // Beside the responses, media would be counted as one of them.
      const behind = given.flatMap(({ parts }) =>
        parts.behind.flatMap((part) => [{ text: part.label }, toInline(part)]),
      )
      return [
        ...(said.length === 0 ? [] : [{ role: 'model' as const, parts: said }]),
        ...(results.length === 0 ? [] : [{ role: 'user' as const, parts: results }]),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, parts: behind }]),
      ]
    }
  }
}

function saidParts(
  { message, answered }: Extract<Turn, { role: 'assistant' }>,
  read: ReadRequest,
): GooglePart[] {
  const signed = withSignature(answered, read)
  const kept = keptParts(message, GOOGLE)
  if (!kept) {
    const text = formatBlocks(message.content, read.options)
    return [...(text.trim() === '' ? [] : [{ text }]), ...signed]
  }
  return kept.flatMap((each): GooglePart[] => {
    if (each.kind === 'own') return [each.part]
    const call = signed[each.index]
    return call ? [call] : []
  })
}

/** Parallel calls have one signature, with the first of them. */
function withSignature(answered: readonly AnsweredCall[], read: ReadRequest): GooglePart[] {
  const parts = answered.map((call) => toCall(call, read))
  const { missingSignature } = read.profile
  const [first, ...rest] = parts
  if (!first || missingSignature === undefined) return parts
  const isSigned = parts.some(({ thoughtSignature }) => thoughtSignature !== undefined)
  return isSigned ? parts : [{ ...first, thoughtSignature: missingSignature }, ...rest]
}

function toCall(answered: AnsweredCall, { names }: ReadRequest): GooglePart {
  const { name, arguments: given } = names.toProvider(answered.call)
  const { functionCall: _, ...extras } = keptWithCall(answered.call, GOOGLE)
  const args = isJsonObject(given) ? { ...given } : {}
  return { ...extras, functionCall: { ...idOf(answered), name, args } }
}

function toResponse(
  answered: AnsweredCall,
  { text, media, isError }: ModelParts,
  { names }: ReadRequest,
): GooglePart {
  const { name } = names.toProvider(answered.call)
  return {
    functionResponse: {
      ...idOf(answered),
      name,
      response: isError ? { error: text } : { output: text },
      ...(media.length > 0 && { parts: media.map(toInline) }),
    },
  }
}

/** Only a call that came with an id is given back with one. */
function idOf({ id, call }: AnsweredCall): { id?: string } {
  const kept = field(keptWithCall(call, GOOGLE), 'functionCall')
  return isJsonObject(kept) && typeof field(kept, 'id') === 'string' ? { id } : {}
}

function toInline({ mediaType, data }: Media) {
  return { inlineData: { mimeType: mediaType, data } }
}
