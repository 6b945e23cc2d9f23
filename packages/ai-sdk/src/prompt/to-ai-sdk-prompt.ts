import {
  type FormatOptions,
  formatBlocks,
  type ModelCall,
  type ModelProfile,
  type ModelRequest,
  type ModelResponse,
  type RequestChange,
  type RequestOptions,
  type ToolNames,
} from '@toolblocks/formatter'
import {
  type Media,
  type MediaPart,
  type ModelParts,
  type AnsweredCall,
  anthropicProfile,
  gemini2Profile,
  geminiProfile,
  keepParts,
  type KeptPart,
  openAiChatProfile,
  openAiCompatibleProfile,
  openAiResponsesProfile,
  readArguments,
  readRequest,
  type ReadRequest,
  toAssistantParts,
  type Turn,
} from '@toolblocks/formatter/internal'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, requireArguments } from '@toolblocks/protocol/internal'

/** The prompt that `doStream` and `doGenerate` of an AI SDK language model take. The type matches the AI SDK's own types without importing them. */
export interface AiSdkPrompt {
  prompt: AiSdkMessage[]
  tools: AiSdkTool[]
  toolChoice?: { type: 'required' }
  /** Converts the names in the model's response back. */
  names: ToolNames
  /** Changes that were needed to make the request valid. */
  changes: readonly RequestChange[]
}

/** Options or data of one AI SDK provider, by its name. */
type AiSdkProviderOptions = Record<string, Record<string, never>>

/**
 * A message of a prompt.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (AiSdkText | AiSdkFile)[] }
  | { role: 'assistant'; content: (AiSdkText | AiSdkReasoning | AiSdkCall)[] }
  | { role: 'tool'; content: AiSdkResult[] }

/**
 * Text in a message.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
export interface AiSdkText {
  type: 'text'
  text: string
}

/**
 * A file in a message, as base64.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
export interface AiSdkFile {
  type: 'file'
  data: { type: 'data'; data: string }
  mediaType: string
  filename?: string
}

/**
 * The reasoning of the model.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
interface AiSdkReasoning {
  type: 'reasoning'
  text: string
  providerOptions?: AiSdkProviderOptions
}

/**
 * A call of the model.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
interface AiSdkCall {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
  providerOptions?: AiSdkProviderOptions
}

/**
 * The result of a call.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
interface AiSdkResult {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: AiSdkOutput
}

/**
 * The output of a call. `content` cannot mark a call as failed.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
export type AiSdkOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'content'; value: (AiSdkText | AiSdkFile)[] }

/** A tool as the model sees it. */
interface AiSdkTool {
  type: 'function'
  name: string
  description?: string
  inputSchema: JsonObject
}

/**
 * A part of the complete response of an AI SDK language model, in order.
 *
 * @see https://ai-sdk.dev/providers/community-providers/custom-providers
 */
export type AiSdkResponsePart =
  | { type: 'text' | 'reasoning'; text: string; providerMetadata?: object | undefined }
  | {
      type: 'tool-call'
      toolCallId: string
      toolName: string
      /** The arguments as JSON text. */
      input: string
      providerMetadata?: object | undefined
    }

/** The `_meta` key of data that goes back to the AI SDK. */
const AI_SDK = 'ai-sdk'

/** What the AI SDK limits, whatever the provider accepts: the output of a failed call is text only. */
export const AI_SDK_LIMITS = { inFailedResults: false }

/** Converts a request into an AI SDK prompt: for the profile `aiSdkProfile(model)`, else for an OpenAI-compatible server. */
export function toAiSdkPrompt(request: ModelRequest, options: RequestOptions = {}): AiSdkPrompt {
  requireArguments('toAiSdkPrompt(request, …)', [request, { messages: 'array' }])
  const profile = { ...(options.profile ?? openAiCompatibleProfile), ...AI_SDK_LIMITS }
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

function toMessages(turn: Turn, { options }: ReadRequest): AiSdkMessage[] {
  switch (turn.role) {
    case 'user': {
      const content = turn.parts.map((part) => (part.type === 'text' ? part : toFile(part.media)))
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': {
      const { message, answered } = turn
      // Parts from the AI SDK go back unchanged and in order, because a provider checks its signatures on them.
      const assistantParts = toAssistantParts<AiSdkText | AiSdkReasoning | AiSdkCall>(
        message,
        AI_SDK,
        {
          calls: answered.map(toCall),
          own: (part) => (isSaidPart(part) ? [part] : []),
          text: () => getWords(message, options),
        },
      )
      const results = answered.map(({ id, name, result }): AiSdkResult => ({
        type: 'tool-result',
        toolCallId: id,
        toolName: name,
        output: toOutput(result),
      }))
      const behind = answered.flatMap(({ result }) => result.afterResults.flatMap(toLabelled))
      return [
        ...(assistantParts.length === 0
          ? []
          : [{ role: 'assistant' as const, content: assistantParts }]),
        ...(results.length === 0 ? [] : [{ role: 'tool' as const, content: results }]),
        ...(behind.length === 0 ? [] : [{ role: 'user' as const, content: behind }]),
      ]
    }
  }
}

function getWords(
  { content, reasoning }: ModelResponse,
  options: FormatOptions,
): (AiSdkText | AiSdkReasoning)[] {
  const text = formatBlocks(content, options)
  return [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
  ]
}

/** Providers refuse a text without words, unless it carries a signature. */
function isSaidPart(part: object): part is AiSdkText | AiSdkReasoning {
  if (!isJsonObject(part) || typeof part['text'] !== 'string') return false
  if (part['type'] === 'reasoning') return true
  return part['type'] === 'text' && (part['text'].trim() !== '' || isSigned(part))
}

function isSigned({ providerOptions }: JsonObject): boolean {
  const google = isJsonObject(providerOptions) ? getOwnField(providerOptions, 'google') : undefined
  return isJsonObject(google) && typeof getOwnField(google, 'thoughtSignature') === 'string'
}

function toCall({ id, name, arguments: input, call }: AnsweredCall): AiSdkCall {
  const kept = call._meta ? getOwnField(call._meta, AI_SDK) : undefined
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given back as the provider gave it
    ...(isJsonObject(kept) && { providerOptions: kept as unknown as AiSdkProviderOptions }),
  }
}

/** Converts the parts of a result into the output of a call. Media that follow all results are not in it. */
export function toOutput({ text, parts, isError }: ModelParts): AiSdkOutput {
  if (isError) return { type: 'error-text', value: text }
  if (parts.every((part) => part.type === 'text')) return { type: 'text', value: text }
  return {
    type: 'content',
    value: parts.map((part) => (part.type === 'text' ? part : toFile(part.media))),
  }
}

/** Returns media with the line that describes them. */
export function toLabelled(part: MediaPart): (AiSdkText | AiSdkFile)[] {
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

/** Reads the response of a model, with the names of its request converted back. Data that the provider needs again is stored with it. */
export function readAiSdkParts(
  parts: readonly AiSdkResponsePart[],
  names?: ToolNames,
): ModelResponse {
  requireArguments('readAiSdkParts(parts, …)', [parts, 'array'])
  const withoutCalls = parts.filter((part) => part.type !== 'tool-call')
  const texts = withoutCalls.filter(({ type, text }) => type === 'text' && text !== '')
  const thoughts = withoutCalls.filter(({ type }) => type === 'reasoning').map(({ text }) => text)
  return {
    role: 'assistant',
    content: texts.map(({ text }) => ({ type: 'text', text })),
    ...(thoughts.some((text) => text !== '') && { reasoning: thoughts.join('\n\n') }),
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [readCall(part, names)] : [])),
    ...(!isPlain(parts) && { _meta: keepParts(AI_SDK, toKept(parts)) }),
  }
}

/** Whether no part must go back unchanged: texts without provider data, then calls. */
function isPlain(parts: readonly AiSdkResponsePart[]): boolean {
  const firstCall = parts.findIndex(({ type }) => type === 'tool-call')
  return parts.every(
    ({ type, providerMetadata }, index) =>
      type === 'tool-call' ||
      (type === 'text' && providerMetadata === undefined && (firstCall < 0 || index < firstCall)),
  )
}

/** Reasoning belongs to the call after it. Providers refuse another order. */
function toKept(parts: readonly AiSdkResponsePart[]): readonly KeptPart[] {
  let calls = 0
  return parts.map((part): KeptPart => {
    if (part.type === 'tool-call') return { kind: 'call', index: calls++ }
    const { type, text, providerMetadata } = part
    const own = { type, text, ...(providerMetadata && { providerOptions: providerMetadata }) }
    return { kind: 'own', part: own }
  })
}

function readCall(
  {
    toolCallId: id,
    toolName: name,
    input,
    providerMetadata,
  }: Extract<AiSdkResponsePart, { type: 'tool-call' }>,
  names: ToolNames | undefined,
): ModelCall {
  const call = { name, arguments: readArguments(input) }
  return {
    id,
    ...(names?.fromProvider(call) ?? call),
    ...(providerMetadata && { _meta: { [AI_SDK]: providerMetadata } }),
  }
}

/** Returns the profile of an AI SDK language model, by its `provider` (such as `google.generative-ai`) and `modelId`. */
export function aiSdkProfile(model: { provider: string; modelId: string }): ModelProfile {
  requireArguments('aiSdkProfile(model)', [model, { provider: 'string', modelId: 'string' }])
  const { provider, modelId } = model
  const profile = getProfile(provider, modelId)
  return { ...profile, ...AI_SDK_LIMITS }
}

function getProfile(provider: string, modelId: string): ModelProfile {
  const [vendor = '', api = ''] = provider.split('.')
  switch (vendor) {
    case 'anthropic':
      return anthropicProfile
    case 'openai':
    case 'azure':
      return api === 'responses' ? openAiResponsesProfile : openAiChatProfile
    case 'gateway': {
      // Models of Vercel's gateway are named `anthropic/claude-sonnet-4.5`. For OpenAI, media after the results are valid in both APIs.
      const [maker = '', name = ''] = modelId.split('/')
      return getProfile(maker, name)
    }
    case 'google':
      // The adapter uses the same rule.
      return /gemini-[12][.-]/.test(modelId) || !modelId.includes('gemini')
        ? gemini2Profile
        : geminiProfile
    default:
      return openAiCompatibleProfile
  }
}
