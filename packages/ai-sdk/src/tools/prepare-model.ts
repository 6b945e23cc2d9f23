import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import {
  type MediaPart,
  type ModelParts,
  type ResultFormat,
  type AnsweredCall,
  openAiCompatibleProfile,
  readArguments,
  readRequest,
} from '@toolblocks/formatter/internal'
import type { ToolNames, ModelMessage, ModelProfile } from '@toolblocks/formatter'
import { createPictureFitter, type PictureFitter } from '@toolblocks/formatter/pictures'
import {
  type ContentBlock,
  type JsonObject,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import { wrapLanguageModel } from 'ai'
import { AI_SDK_LIMITS, aiSdkProfile, toLabelled, toOutput } from '../prompt/to-ai-sdk-prompt.ts'
import { completeFormat, findResult, TOOLBLOCKS } from './model-output.ts'

/** The fitter of all models of this process. It starts its worker with the first picture that is too large. */
const shared = createPictureFitter()

/** Options of `prepareModel`. */
export interface PreparedModelOptions {
  format?: ResultFormat
  profile?: ModelProfile
  /**
   * Makes the pictures of results fit what the provider accepts. Default: a fitter of this process, which scales if `@cf-wasm/photon` is installed.
   * `as-is`: pictures are not changed.
   */
  pictures?: PictureFitter | 'as-is'
}

/** A language model of any version that the AI SDK wraps. */
export type WrappedModel = Parameters<typeof wrapLanguageModel>[0]['model']

/**
 * Wraps a model, so that each request has the results of Toolblocks tools in the form that its provider accepts: media in the result, else in a user
 * message after all results, else a note. The reason of a denial says that it is one. Schemas of tools are repaired for the provider. `profile`: what the provider accepts. Default: by the
 * model's `provider` and `modelId`.
 */
export function prepareModel(
  model: WrappedModel,
  { format, profile, pictures = shared }: PreparedModelOptions = {},
): LanguageModelV4 {
  /** The names of a request, if its response must be converted back. */
  const renamed = new WeakMap<LanguageModelV4CallOptions, ToolNames>()
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params, model: { provider, modelId } }) => {
        const known = { ...(profile ?? getProfile({ provider, modelId })), ...AI_SDK_LIMITS }
        const prompt = params.prompt.map(nameDenials)
        const messages = await fitResults(prompt.flatMap(toModelMessages), known, pictures)
        const { prepared, names } = prepareRequest({ ...params, prompt }, messages, {
          profile: known,
          format: completeFormat(format),
        })
        if (names) renamed.set(prepared, names)
        return prepared
      },
      wrapGenerate: async ({ doGenerate, params }) => {
        const names = renamed.get(params)
        const result = await doGenerate()
        if (!names) return result
        const content = result.content.map((part) =>
          part.type === 'tool-call' ? fromProvider(part, names) : part,
        )
        return { ...result, content }
      },
      wrapStream: async ({ doStream, params }) => {
        const names = renamed.get(params)
        const result = await doStream()
        if (!names) return result
        const restored = new TransformStream<PromptPart, PromptPart>({
          transform: (part, controller) =>
            controller.enqueue(part.type === 'tool-call' ? fromProvider(part, names) : part),
        })
        return { ...result, stream: result.stream.pipeThrough(restored) }
      },
    },
  })
}

/** Providers send only the reason of a denial, which a model would read as the output of the tool. */
function nameDenials(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'tool') return message
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'execution-denied') return part
    const { output } = part
    return output.reason === undefined
      ? part
      : { ...part, output: { ...output, reason: `The call was denied: ${output.reason}` } }
  })
  return { ...message, content }
}

/** The files of a person are in the prompt of the host, so only the pictures of results are made to fit. */
async function fitResults(
  messages: readonly ModelMessage[],
  profile: ModelProfile,
  pictures: PictureFitter | 'as-is',
): Promise<readonly ModelMessage[]> {
  if (pictures === 'as-is') return messages
  const fitted: ModelMessage[] = []
  for (const message of messages)
    if (message.role === 'tool') {
      const request = await pictures.fitRequest({ messages: [message], tools: [] }, profile)
      fitted.push(...request.messages)
    } else fitted.push(message)
  return fitted
}

/** A host that names a model of an unknown server knows whether it reads images, and sends those of a person too. */
function getProfile(model: { provider: string; modelId: string }): ModelProfile {
  const profile = aiSdkProfile(model)
  return profile.name === openAiCompatibleProfile.name
    ? { ...profile, afterResults: profile.inMessages }
    : profile
}

type PromptPart =
  Awaited<ReturnType<LanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Each>
    ? Each
    : never

/** Converts the arguments of a call back to the names of the tool's own schema. */
function fromProvider(call: LanguageModelV4ToolCall, names: ToolNames): LanguageModelV4ToolCall {
  const read = names.fromProvider({
    name: call.toolName,
    arguments: readArguments(call.input),
  })
  return { ...call, input: JSON.stringify(read.arguments) }
}

/** Returns a request as a provider accepts it. `names`: present if parameters of tools have other names in it. */
function prepareRequest(
  params: LanguageModelV4CallOptions,
  messages: readonly ModelMessage[],
  { profile, format }: { profile: ModelProfile; format: ResultFormat },
): { prepared: LanguageModelV4CallOptions; names?: ToolNames } {
  const own = params.tools?.filter(isOwnTool) ?? []
  const read = readRequest(
    {
      messages,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a JSON Schema is JSON
      tools: own.map((tool) => ({ ...tool, inputSchema: tool.inputSchema as JsonObject })),
    },
    profile,
    format,
  )
  const answered = read.turns.flatMap((turn) => (turn.role === 'assistant' ? turn.answered : []))
  const provided = new Map(own.map((tool, index) => [tool, read.tools[index]]))
  const prepared: LanguageModelV4CallOptions = {
    ...params,
    prompt: writePrompt(params.prompt, answered),
    ...(params.tools && {
      tools: params.tools.map((tool) => {
        const made = isOwnTool(tool) ? provided.get(tool) : undefined
        if (!made || tool.type !== 'function') return tool
        const { [TOOLBLOCKS]: _own, ...providerOptions } = tool.providerOptions ?? {}
        return { ...tool, ...made, providerOptions }
      }),
    }),
  }
  const isRenamed = read.changes.some(({ code }) => code === 'parameter-renamed')
  return { prepared, ...(isRenamed && { names: read.names }) }
}

function isOwnTool(
  tool: NonNullable<LanguageModelV4CallOptions['tools']>[number],
): tool is LanguageModelV4FunctionTool {
  const { type, providerOptions } = { providerOptions: undefined, ...tool }
  return type === 'function' && Object.hasOwn(providerOptions ?? {}, TOOLBLOCKS)
}

/** Reads the messages of a prompt as far as results and the limits of media need it. */
function toModelMessages(message: LanguageModelV4Message): ModelMessage[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [{ role: 'user', content: message.content.flatMap(toBlock) }]
    case 'assistant':
      return [
        {
          role: 'assistant',
          content: [],
          calls: message.content.filter(isOwnCall).map(({ toolCallId, toolName, input }) => ({
            id: toolCallId,
            name: toolName,
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- another value becomes an object
            arguments: input as JsonObject,
          })),
        },
      ]
    case 'tool':
      return [
        {
          role: 'tool',
          results: message.content.flatMap((part) =>
            part.type === 'tool-result'
              ? [
                  {
                    call: { id: part.toolCallId, name: part.toolName },
                    result: readResult(part),
                  },
                ]
              : [],
          ),
        },
      ]
  }
}

/** Limits of media are counted by the arrays of blocks, and a tool may return one array twice. */
function readResult({ output }: LanguageModelV4ToolResultPart): ToolResult {
  const { content = [], ...rest } = findResult(output) ?? { isError: false }
  return { ...rest, content: [...content] }
}

/** A call that the host runs. The results of other calls are in the message of the model. */
function isOwnCall(
  part: Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number],
): part is LanguageModelV4ToolCallPart {
  return part.type === 'tool-call' && part.providerExecuted !== true
}

/** Returns the media of a person, which count for the limits of the request. */
function toBlock(part: { type: 'text' } | LanguageModelV4FilePart): ContentBlock[] {
  const bytes = part.type === 'file' && part.data.type === 'data' ? part.data.data : undefined
  if (part.type === 'text' || typeof bytes !== 'string') return []
  return [
    { type: 'resource', resource: { uri: 'file:///', mimeType: part.mediaType, blob: bytes } },
  ]
}

/** Writes ids, names, arguments and results for the provider. Media that follow the results of a turn are a user message. */
function writePrompt(
  prompt: LanguageModelV4Prompt,
  answered: readonly AnsweredCall[],
): LanguageModelV4Prompt {
  let next = 0
  /** The calls of the last response, by the id that the host knows. */
  let calls = new Map<string, AnsweredCall[]>()
  const written: LanguageModelV4Prompt = []
  for (const message of prompt) {
    if (message.role === 'assistant') {
      calls = new Map()
      const content = message.content.map((part) => {
        const call = isOwnCall(part) ? answered[next++] : undefined
        if (!call || part.type !== 'tool-call') return part
        calls.set(part.toolCallId, [...(calls.get(part.toolCallId) ?? []), call])
        const input = isJsonObject(part.input) ? call.arguments : part.input
        return { ...part, toolCallId: call.id, input }
      })
      written.push({ ...message, content })
      continue
    }
    if (message.role !== 'tool') {
      written.push(message)
      continue
    }
    const behind: MediaPart[] = []
    const content = message.content.map((part) => {
      const call = part.type === 'tool-result' ? calls.get(part.toolCallId)?.shift() : undefined
      if (!call || part.type !== 'tool-result') return part
      behind.push(...(findResult(part.output) ? call.result.afterResults : []))
      return writeResult(part, call)
    })
    written.push({ ...message, content })
    if (behind.length > 0) written.push({ role: 'user', content: behind.flatMap(toLabelled) })
  }
  return written
}

function writeResult(
  part: LanguageModelV4ToolResultPart,
  { id, result }: { id: string; result: ModelParts },
): LanguageModelV4ToolResultPart {
  const output = findResult(part.output) ? toOutput(result) : part.output
  return { ...part, toolCallId: id, output }
}
