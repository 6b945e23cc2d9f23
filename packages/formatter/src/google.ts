import { requireFormatOptions } from './text/format-block.ts'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, requireArguments, formatValue } from '@toolblocks/protocol/internal'
import type { ModelProfile } from './model/model-profile.ts'
import type { Media } from './media/find-media.ts'
import type { MediaPart } from './media/to-model-parts.ts'
import type { ModelResponse, ModelCall, ModelRequest } from './model/model-request.ts'
import { geminiProfile } from './model/profiles.ts'
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
import { nameBlock } from './text/format-block.ts'
import { formatBlocks } from './text/format-result.ts'
import type { RequestChange } from './tools/request-change.ts'
import type { ToolNames } from './tools/tool-names.ts'

/**
 * The request that Gemini's `generateContent` takes, with instructions and tools in its `config`. The type matches Google's own types without
 * importing them.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export interface GoogleRequest {
  contents: GoogleContent[]
  config: {
    systemInstruction?: string
    tools?: { functionDeclarations: GoogleFunction[] }[]
    /** The mode is `ANY`. Google's own type is an enum, to which a string cannot be assigned. */
    toolConfig?: { functionCallingConfig: { mode: never } }
  }
  /** Converts the names in the model's response back. */
  names: ToolNames
  /** Changes that were needed to make the request valid. */
  changes: readonly RequestChange[]
}

/**
 * A turn of one side.
 *
 * @see https://ai.google.dev/api/generate-content
 */
interface GoogleContent {
  role: 'user' | 'model'
  parts: GooglePart[]
}

/**
 * A part: one of these fields, and its provider data.
 *
 * @see https://ai.google.dev/api/generate-content
 */
interface GooglePart {
  text?: string
  inlineData?: GoogleBytes
  functionCall?: { id?: string; name: string; args: Record<string, unknown> }
  functionResponse?: GoogleFunctionResponse
  thought?: boolean
  thoughtSignature?: string
}

/**
 * Base64 bytes with their type.
 *
 * @see https://ai.google.dev/api/generate-content
 */
interface GoogleBytes {
  mimeType: string
  data: string
  /** The name that the text of a function response gives to the bytes. */
  displayName?: string
}

/**
 * The result of a call.
 *
 * @see https://ai.google.dev/api/generate-content
 */
interface GoogleFunctionResponse {
  id?: string
  name: string
  response: { output: string } | { error: string }
  parts?: { inlineData: GoogleBytes }[]
}

/** A tool as the model sees it. */
export interface GoogleFunction {
  name: string
  description?: string
  parametersJsonSchema: JsonObject
}

/**
 * The complete content of a candidate. A part of an unknown type is stored and sent back.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export interface GoogleGenerateResponse {
  parts?: readonly object[]
}

/** The `_meta` key of data that goes back to Google. */
const GOOGLE = 'google'

/** Converts a request into a Gemini request. Models before the third generation need `gemini2Profile`. */
export function toGoogleRequest(
  request: ModelRequest,
  options: RequestOptions = {},
): GoogleRequest {
  requireArguments('toGoogleRequest(request, …)', [request, { messages: 'array' }])
  requireFormatOptions('toGoogleRequest(request, options)', 'options', options)
  const read = readRequest(request, options.profile ?? geminiProfile, options)
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

function toContents(
  turn: RequestTurn,
  { profile, options }: ReadRequest,
): readonly GoogleContent[] {
  switch (turn.role) {
    case 'user': {
      const parts = turn.parts.map((part) =>
        part.type === 'text' ? { text: part.text } : toInline(part.media),
      )
      return parts.length === 0 ? [] : [{ role: 'user', parts }]
    }
    case 'assistant': {
      const { message, answered } = turn
      const parts = toAssistantParts<GooglePart>(message, GOOGLE, {
        calls: withSignature(answered.map(toCall), profile),
        own: (part) => [part],
        text: () => {
          const text = formatBlocks(message.content, options)
          return text.trim() === '' ? [] : [{ text }]
        },
      })
      const results = answered.map(toResponse)
      // Beside the responses, media would count as one of them.
      const behind = answered.flatMap(({ result }) =>
        result.afterResults.flatMap((part) => [{ text: part.label }, toInline(part)]),
      )
      return [
        ...(parts.length === 0 ? [] : [{ role: 'model' as const, parts }]),
        ...(results.length === 0 ? [] : [{ role: 'user' as const, parts: results }]),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, parts: behind }]),
      ]
    }
  }
}

/** Parallel calls have one signature, on the first call. */
function withSignature(
  parts: readonly GooglePart[],
  { missingSignature }: ModelProfile,
): readonly GooglePart[] {
  const [first, ...rest] = parts
  if (!first || missingSignature === undefined) return parts
  const isSigned = parts.some(({ thoughtSignature }) => thoughtSignature !== undefined)
  return isSigned ? parts : [{ ...first, thoughtSignature: missingSignature }, ...rest]
}

function toCall(answered: AnsweredCall): GooglePart {
  const { name, arguments: callArguments } = answered
  const { functionCall: _, ...extras } = getProviderData(answered.call, GOOGLE)
  const args = isJsonObject(callArguments) ? { ...callArguments } : {}
  return { ...extras, functionCall: { ...getId(answered), name, args } }
}

function toResponse(answered: AnsweredCall): GooglePart {
  const { name, result } = answered
  const { text, parts, isError } = result
  const media = parts.flatMap((part) => (part.type === 'media' ? [part.media] : []))
  return {
    functionResponse: {
      ...getId(answered),
      name,
      response: isError ? { error: text } : { output: text },
      ...(media.length > 0 && { parts: media.map(toNamed) }),
    },
  }
}

/** A call gets an id only if it came with one. */
function getId({ id, call }: AnsweredCall): { id?: string } {
  const kept = getOwnField(getProviderData(call, GOOGLE), 'functionCall')
  return isJsonObject(kept) && typeof getOwnField(kept, 'id') === 'string' ? { id } : {}
}

function toInline({ mediaType, data }: Media) {
  return { inlineData: { mimeType: mediaType, data } }
}

/** Media in a function response, with the name that the text gives them. */
function toNamed({ mediaType, data, index }: MediaPart) {
  return { inlineData: { mimeType: mediaType, data, displayName: nameBlock(index) } }
}

/** Reads the response of a model, with the names of its request converted back. Data that Google needs again is stored with it. */
export function readGoogleResponse(
  response: GoogleGenerateResponse,
  names?: ToolNames,
): ModelResponse {
  requireArguments('readGoogleResponse(response, …)', [response, 'object'])
  const { parts = [] } = response
  const objects = parts.filter(isJsonObject)
  const calls: ModelCall[] = []
  const kept = objects.map((part): KeptPart => {
    const { functionCall, ...extras } = part
    if (!isJsonObject(functionCall)) return { kind: 'own', part }
    calls.push(readCall(functionCall, extras, { index: calls.length, names }))
    return { kind: 'call', index: calls.length - 1 }
  })
  const texts = objects.filter(({ text }) => typeof text === 'string' && text !== '')
  const thoughts = texts.filter(({ thought }) => thought === true).map(({ text }) => String(text))
  const isPlain = objects.every(
    (part) => Object.keys(part).length === 1 && ('text' in part || 'functionCall' in part),
  )
  return {
    role: 'assistant',
    content: texts
      .filter(({ thought }) => thought !== true)
      .map(({ text }) => ({ type: 'text', text: String(text) })),
    ...(thoughts.length > 0 && { reasoning: thoughts.join('\n\n') }),
    calls,
    ...(!isPlain && { _meta: keepParts(GOOGLE, kept) }),
  }
}

/** Calls may have no id. They are numbered then, which is unique in the turn. */
function readCall(
  { name, args, id, ...rest }: JsonObject,
  extras: JsonObject,
  { index, names }: { index: number; names: ToolNames | undefined },
): ModelCall {
  const providerCall = { name: formatValue(name), arguments: isJsonObject(args) ? args : {} }
  const hasId = typeof id === 'string' && id !== ''
  const kept = { ...extras, ...(hasId && { functionCall: { ...rest, id } }) }
  return {
    id: hasId ? id : `call-${index + 1}`,
    ...(names?.fromProvider(providerCall) ?? providerCall),
    ...(Object.keys(kept).length > 0 && { _meta: { [GOOGLE]: kept } }),
  }
}
export { gemini2Profile, geminiProfile } from './model/profiles.ts'
