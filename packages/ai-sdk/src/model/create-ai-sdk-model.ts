import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type {
  Model,
  ModelError as ModelFailure,
  ModelEvent,
  ModelMessageEvent,
} from '@toolblocks/agent'
import type { FormatOptions, ModelRequest } from '@toolblocks/formatter'
import {
  type AiSdkResponsePart,
  aiSdkProfile,
  readAiSdkParts,
  toAiSdkPrompt,
} from '../prompt/to-ai-sdk-prompt.ts'
import { createNamelessCalls, findNamelessCall } from './nameless-calls.ts'
import { type TokenUsage, isJsonObject } from '@toolblocks/protocol'
import { getOwnField, describeMissingPeer } from '@toolblocks/protocol/internal'

const peer = '@toolblocks/agent'
const { ModelError } = await import('@toolblocks/agent').catch((cause: unknown) => {
  throw describeMissingPeer(cause, { entry: '@toolblocks/ai-sdk/model', peer })
})

/** Creates a model from a model of the AI SDK. It does not retry; the caller does. */
export function createAiSdkModel(model: LanguageModelV4, format: FormatOptions): Model {
  return async function* answer(request, signal) {
    try {
      yield* stream(model, request, { format, signal })
    } catch (error) {
      throw explainFailure(error)
    }
  }
}

/** With `store: false`, OpenAI returns the complete reasoning instead of a reference that is valid for a month. Conversations are kept longer. */
const OPTIONS = { openai: { store: false } }

async function* stream(
  model: LanguageModelV4,
  request: ModelRequest,
  { format, signal }: { format: FormatOptions; signal: AbortSignal },
): AsyncIterable<ModelEvent> {
  const { maxOutputTokens } = request
  const { prompt, tools, toolChoice, names } = toAiSdkPrompt(request, {
    ...format,
    profile: aiSdkProfile(model),
  })
  const { stream: parts } = await model.doStream({
    prompt,
    tools,
    ...(toolChoice && { toolChoice }),
    abortSignal: signal,
    providerOptions: OPTIONS,
    includeRawChunks: true,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  })
  const responseParts = new Map<string, AiSdkResponsePart>()
  const nameless = createNamelessCalls()
  let answering = model.modelId
  for await (const part of withNamelessCalls(parts)) {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end': {
        const textEvent = addTo(responseParts, part)
        if (textEvent) yield textEvent
        break
      }
      case 'tool-call':
        responseParts.set(`call ${part.toolCallId}`, part)
        break
      case 'nameless-call':
        // The rest of the response is lost, and calls before it may be incomplete.
        yield {
          type: 'message',
          message: readAiSdkParts([...getWords(responseParts), part.call], names),
          model: answering,
        }
        return
      case 'error':
        throw part.error
      case 'finish': {
        const { unified, raw } = part.finishReason
        if (unified === 'error' || unified === 'interrupted') {
          const reason = raw === undefined ? '' : ` (${raw})`
          throw new ModelError('unavailable', `the provider ended the response early${reason}`)
        }
        yield {
          type: 'message',
          message: readAiSdkParts(nameless.addTo([...responseParts.values()]), names),
          model: answering,
          ...getUsage(part),
          ...getCut(unified),
        }
        return
      }
      case 'response-metadata':
        answering = findName(part) ?? answering
        break
      case 'stream-start':
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
      // Tools that run at the provider are not used.
      case 'tool-result':
      case 'tool-approval-request':
      case 'custom':
      case 'file':
      case 'reasoning-file':
      case 'source':
      case 'ping':
        break
      case 'raw':
        nameless.read(part.rawValue)
        break
    }
  }
}

/** The AI SDK ends the stream at a call without a name. The model is told instead. */
async function* withNamelessCalls(
  parts: AsyncIterable<LanguageModelV4StreamPart>,
): AsyncIterable<LanguageModelV4StreamPart | { type: 'nameless-call'; call: AiSdkResponsePart }> {
  try {
    yield* parts
  } catch (error) {
    const call = findNamelessCall(error)
    if (!call) throw error
    yield { type: 'nameless-call', call }
  }
}

function getWords(
  responseParts: ReadonlyMap<string, AiSdkResponsePart>,
): readonly AiSdkResponsePart[] {
  return [...responseParts.values()].filter(({ type }) => type !== 'tool-call')
}

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

function getCut(reason: Finish['finishReason']['unified']): Pick<ModelMessageEvent, 'cut'> {
  if (reason === 'length') return { cut: 'tokens' }
  return reason === 'content-filter' ? { cut: 'filter' } : {}
}

type StreamPiece = Extract<
  LanguageModelV4StreamPart,
  { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }
>

/** Adds a chunk to its part. New text is returned as an event. */
function addTo(
  responseParts: Map<string, AiSdkResponsePart>,
  piece: StreamPiece,
): ModelEvent | undefined {
  const type = piece.type.startsWith('text') ? 'text' : 'reasoning'
  const key = `${type} ${piece.id}`
  const before = responseParts.get(key)
  const text = before && 'text' in before ? before.text : ''
  const delta = 'delta' in piece ? piece.delta : ''
  const providerMetadata = piece.providerMetadata ?? before?.providerMetadata
  responseParts.set(key, {
    type,
    text: text + delta,
    ...(providerMetadata && { providerMetadata }),
  })
  return delta === '' ? undefined : { type, text: delta }
}

const MAX_NAME_LENGTH = 200

/** Returns the model's name that the provider reports. It can differ from the configured name, for example by a date. */
function findName({ modelId }: { modelId?: string | undefined }): string | undefined {
  return modelId !== undefined && modelId !== '' && modelId.length <= MAX_NAME_LENGTH
    ? modelId
    : undefined
}

/** Returns the token counts that are numbers. The SDK writes 0 for parts that a provider does not count. */
function getUsage({ usage }: Finish): Pick<ModelMessageEvent, 'usage'> {
  const { inputTokens: input, outputTokens: output } = usage
  const counts: Readonly<Record<keyof TokenUsage, number | undefined>> = {
    inputTokens: input.total,
    cachedInputTokens: input.cacheRead || undefined,
    cacheWriteTokens: input.cacheWrite || undefined,
    outputTokens: output.total,
    reasoningTokens: output.reasoning || undefined,
  }
  const validCounts = Object.entries(counts).filter(
    ([, count]) => Number.isSafeInteger(count) && Number(count) >= 0,
  )
  return validCounts.length === 0 ? {} : { usage: Object.fromEntries(validCounts) }
}

/** Returns why a provider gave no response: it refused, its stream failed, or it was not reached. */
function explainFailure(error: unknown): ModelFailure {
  // The SDK wraps an error that ends a stream before its first event.
  for (let inner = error; inner instanceof Error; inner = inner.cause)
    if (inner instanceof ModelError) return inner
  if (APICallError.isInstance(error)) {
    const retryAfterMs = readRetryAfter(error.responseHeaders ?? {})
    return createResponseError(error, error, { cause: error, retryAfterMs })
  }
  if (error instanceof Error) return createConnectionError(error.message, error)
  // A failure in the stream is plain data, with the provider's message.
  if (!isJsonObject(error)) return createConnectionError(String(error), error)
  const failure = getOwnField(error, 'error') ?? error
  const { message, statusCode, isRetryable } = isJsonObject(failure) ? failure : error
  if (typeof message !== 'string') return createConnectionError(JSON.stringify(error), error)
  const status = typeof statusCode === 'number' ? statusCode : undefined
  return createResponseError(
    { message, statusCode: status, isRetryable: isRetryable !== false },
    error,
  )
}

interface Failure {
  message: string
  statusCode?: number | undefined
  isRetryable: boolean
}

function createResponseError(
  { message, statusCode, isRetryable }: Failure,
  cause: unknown,
  options: { cause: unknown; retryAfterMs?: number | undefined } = { cause },
): ModelFailure {
  const status = statusCode === undefined ? '' : ` (HTTP ${statusCode})`
  const explanation = `${message || 'the provider gave no reason'}${status}`
  const code = isRetryable ? 'unavailable' : 'refused'
  return new ModelError(code, explanation, { ...options, status: statusCode })
}

function createConnectionError(reason: string, cause: unknown): ModelFailure {
  return new ModelError('unavailable', `the connection to the model was lost: ${reason}`, { cause })
}

/** Returns the milliseconds to wait, from a header of OpenAI, or from seconds or a date. */
function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const milliseconds = readNumber(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const retryAfter = headers['retry-after']
  const seconds = readNumber(retryAfter)
  if (seconds !== undefined) return seconds * 1000
  const until = Date.parse(retryAfter ?? '')
  return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now())
}

function readNumber(text: string | undefined): number | undefined {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  return Number.isFinite(number) && number >= 0 ? number : undefined
}
