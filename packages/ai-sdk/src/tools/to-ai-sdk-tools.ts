import type { LanguageModelV4 } from '@ai-sdk/provider'
import { formatBlocks, type ModelProfile } from '@toolblocks/formatter'
import type { PictureFitter } from '@toolblocks/formatter/pictures'
import {
  type ResultFormat,
  createNameMap,
  openAiCompatibleProfile,
} from '@toolblocks/formatter/internal'
import {
  type CallContext,
  type JsonObject,
  type Progress,
  type ToolCall,
  type ToolDefinition,
  type ToolResult,
  isJsonObject,
} from '@toolblocks/protocol'
import {
  requireArguments,
  requireChoices,
  correctSchema,
  makeDefaultsOptional,
} from '@toolblocks/protocol/internal'
import type { ToolExecutor } from '@toolblocks/tool-executor'
import {
  jsonSchema,
  type SingleToolApprovalFunction,
  type Tool,
  type ToolApprovalStatus,
  type ToolExecutionOptions,
  type UIMessage,
  type UIMessageStreamWriter,
} from 'ai'
import {
  type Approvals,
  type ApprovalStorage,
  createApprovals,
  getCallKey,
  isApprovedInMessages,
} from './approvals.ts'
import { completeFormat, toModelOutput, TOOLBLOCKS } from './model-output.ts'
import { prepareModel, type WrappedModel } from './prepare-model.ts'
import { createQuestionPort, type QuestionData, type Questions } from './questions.ts'
import { type ResumedMessages, resumeCalls } from './resume-calls.ts'

/** A tool of the AI SDK whose output is a complete `ToolResult`. */
export type ToolblocksTool = Tool<JsonObject, ToolResult> & {
  /** Runs a call through the executor. With preliminary results it is a stream, whose last value is the result. */
  execute: (
    input: JsonObject,
    options: ToolExecutionOptions<unknown>,
  ) => Promise<ToolResult> | AsyncIterable<ToolResult>
}

/** Tools of the AI SDK by their names for models. */
export type ToolblocksTools = Record<string, ToolblocksTool>

/** The messages of a page: outputs of tools are results, and questions are parts `data-question`. */
export type ToolblocksUIMessage = UIMessage<
  unknown,
  { question: QuestionData },
  Record<string, { input: JsonObject; output: ToolResult }>
>

/** Options of `toAiSdkTools`. */
export interface AiSdkToolsOptions {
  /**
   * The context of each call: the `root` of the workspace, and the id of the conversation, which the server must have verified. Signal, progress
   * and approval are those of each call. `ask.user` is replaced if there are `questions`.
   */
  context: Omit<CallContext, 'signal' | 'onProgress' | 'approval' | 'answered'> & {
    /** Approvals and questions of one conversation do not count in another one. */
    conversationId: string
  }
  /**
   * Keeps which approvals were asked for, so that a page cannot invent one; `documents` of a conversation store implements it. Absent: calls that
   * need a person are denied, unless the executor has its own `approve`.
   */
  approvals?: ApprovalStorage
  /** The questions of the application. Absent: the questions of tools go to `context.ask`. */
  questions?: Questions
  /** Receives the questions of tools as parts `data-question`. Absent: a page reads them with `questions.list`. */
  writer?: Pick<UIMessageStreamWriter, 'write'>
  /** How results are formatted for a model. Default of `maxLength`: 100,000 characters; `Infinity`: no limit. */
  format?: ResultFormat
  /** What the provider accepts. Default: by the model in `prepareModel`; without `prepareModel`, text. */
  profile?: ModelProfile
  /**
   * Makes the pictures of results fit what the provider of `prepareModel` accepts; the results of the tools stay whole. Default: a fitter of this
   * process, which scales if `@cf-wasm/photon` is installed. `as-is`: pictures are not changed.
   */
  pictures?: PictureFitter | 'as-is'
  /**
   * Whether the progress of a call is streamed as preliminary results (`metadata.progress`). The AI SDK then sends the final result to the page
   * twice. Default: `progress`.
   */
  preliminaryResults?: 'progress' | 'none'
}

/** The tools of an executor for `streamText`, `generateText` and agents. */
export interface AiSdkTools {
  /** The tools by their names for models. Names that a provider refuses are changed: `fs.read` is `fs_read`. */
  tools: ToolblocksTools
  /** Whether a call may run. Must be given to the same function as `tools`; without it, calls that need a person are denied. */
  toolApproval: Record<string, SingleToolApprovalFunction<JsonObject, unknown, unknown>>
  /** Wraps a model, so that each provider receives the results in the form that it accepts. */
  prepareModel(model: WrappedModel): LanguageModelV4
  /**
   * Makes the calls again whose questions were answered after their request had ended, and returns the messages with their results. A call whose
   * result was lost is not made another time; its result says so. This needs `approvals` and `questions` with a storage. Calls without a result in
   * messages before the last one get an error as their result, and a later approval of them does not count. Call it before `convertToModelMessages`.
   */
  resumeCalls<Message extends UIMessage>(
    messages: readonly Message[],
    options?: { abortSignal?: AbortSignal },
  ): Promise<ResumedMessages<Message>>
}

/** What the calls of one request share. */
interface Request {
  executor: ToolExecutor
  options: AiSdkToolsOptions
  context: AiSdkToolsOptions['context']
  approvals: Approvals | undefined
  /** The calls that a person has approved, until they run. */
  approved: Set<string>
}

/**
 * Converts the tools of an executor into tools of the AI SDK, for the requests of one conversation. The executor finds, checks, permits and runs each
 * call; outputs are complete results. Tools that the executor gets later are not included.
 */
export function toAiSdkTools(executor: ToolExecutor, options: AiSdkToolsOptions): AiSdkTools {
  requireArguments(
    'toAiSdkTools(executor, options)',
    [executor, { execute: 'function' }],
    [options, 'object'],
  )
  requireChoices('toAiSdkTools(executor, options)', 'options', options, {
    preliminaryResults: ['progress', 'none'],
  })
  const { pictures, profile, questions } = options
  const format = completeFormat(options.format)
  const definitions = executor.definitions()
  const { conversationId: conversation } = options.context
  const approvals = options.approvals && createApprovals(options.approvals, conversation)
  const getDefinition = createGetDefinition(definitions)
  const request: Request = {
    executor,
    options,
    context: withQuestions(options, { getDefinition, approvals }),
    approvals,
    approved: new Set(),
  }
  const names = createNameMap(
    definitions.map(({ name }) => name),
    openAiCompatibleProfile.toolNames,
  )
  const named = definitions.map((definition) => ({ definition, key: names.to(definition.name) }))
  return {
    tools: Object.fromEntries(
      named.map(({ definition, key }) => [key, createTool(definition, request)]),
    ),
    toolApproval: Object.fromEntries(
      named.map(({ definition: { name }, key }) => [
        key,
        async (input, { toolCallId: id, messages }) =>
          await decide(
            { id, name, arguments: input },
            isApprovedInMessages(messages, id) ? 'by-messages' : 'by-model',
            request,
          ),
      ]),
    ),
    prepareModel: (model) =>
      prepareModel(model, {
        format,
        ...(profile && { profile }),
        ...(pictures !== undefined && { pictures }),
      }),
    resumeCalls: async (messages, { abortSignal } = {}) =>
      await resumeCalls(messages, {
        conversation,
        toName: (key) => names.from(key),
        storage: questions?.storage,
        staysOpen: questions?.staysOpen === true,
        approvals,
        getDefinition,
        run: async (call, answered) =>
          await executor.execute(call, {
            ...request.context,
            signal: abortSignal ?? NEVER,
            approval: { decision: 'allowed' },
            answered,
          }),
        ...(options.writer && { writer: options.writer }),
      }),
  }
}

const NEVER = new AbortController().signal

function createTool(definition: ToolDefinition, request: Request): ToolblocksTool {
  const { name, title, summary, description, inputSchema } = definition
  const { profile, preliminaryResults = 'progress' } = request.options
  const format = completeFormat(request.options.format)
  const toolDescription = summary ?? description
  return {
    ...(title !== undefined && { title }),
    ...(toolDescription !== undefined && { description: toolDescription }),
    // The executor checks arguments, and tells the model what is wrong.
    inputSchema: jsonSchema<JsonObject>(
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is a JSON Schema
      (isJsonObject(inputSchema)
        ? makeDefaultsOptional(correctSchema(inputSchema).schema)
        : { type: 'object' }) as Parameters<typeof jsonSchema>[0],
    ),
    providerOptions: { [TOOLBLOCKS]: { tool: true } },
    toModelOutput: ({ output }) => toModelOutput(output, { format, ...(profile && { profile }) }),
    execute: (input, { toolCallId: id, abortSignal: signal = NEVER }) => {
      const call: ToolCall = { id, name, arguments: input }
      const run = async (onProgress?: (progress: Progress) => void): Promise<ToolResult> =>
        await request.executor.execute(call, {
          ...request.context,
          signal,
          ...(onProgress && { onProgress }),
          ...(takeApproved(call, request) && { approval: { decision: 'allowed' } }),
        })
      return preliminaryResults === 'none' ? run() : streamProgress(run)
    },
  }
}

function takeApproved(call: ToolCall, { approved }: Request): boolean {
  return approved.size > 0 && approved.delete(getCallKey(call))
}

/** Yields the latest progress whenever it changes, and then the result. */
async function* streamProgress(
  run: (onProgress: (progress: Progress) => void) => Promise<ToolResult>,
): AsyncGenerator<ToolResult, void> {
  let latest: Progress | undefined
  let changed = Promise.withResolvers<'progress'>()
  const result = run((progress) => {
    latest = progress
    changed.resolve('progress')
  })
  while ((await Promise.race([result, changed.promise])) === 'progress') {
    changed = Promise.withResolvers()
    if (latest) yield { content: [], isError: false, metadata: { progress: latest } }
  }
  yield await result
}

/** Decides about a call. `by-messages`: the messages say that a person has approved it, which a page may claim of any call. */
async function decide(
  call: ToolCall,
  reason: 'by-model' | 'by-messages',
  { executor, context, approvals, approved }: Request,
): Promise<ToolApprovalStatus> {
  const permission = await executor.getPermission(call, { ...context, signal: NEVER })
  if (permission.decision === 'refused')
    return { type: 'denied', reason: formatBlocks(permission.result.content) }
  if (reason === 'by-messages') {
    const refused = approvals ? await approvals.use(call) : NO_STORAGE
    if (refused !== undefined)
      return { type: 'denied', reason: `The approval does not count: ${refused}.` }
    approved.add(getCallKey(call))
    return 'approved'
  }
  // The executor may have its own person to ask.
  if (permission.decision === 'allowed' || !approvals) return 'not-applicable'
  await approvals.ask(call)
  const approvalReason = permission.formatted && formatBlocks(permission.formatted.content)
  return approvalReason === undefined || approvalReason === ''
    ? 'user-approval'
    : { type: 'user-approval', reason: approvalReason }
}

const NO_STORAGE = 'this server keeps no approvals'

function withQuestions(
  { context, questions, writer }: AiSdkToolsOptions,
  { getDefinition, approvals }: { getDefinition: GetDefinition; approvals: Approvals | undefined },
): AiSdkToolsOptions['context'] {
  if (!questions) return context
  const user = createQuestionPort(questions, {
    conversation: context.conversationId,
    getDefinition,
    show: (question) => writer?.write({ type: 'data-question', id: question.id, data: question }),
    useAnswer: async (id) => !approvals || (await approvals.useAnswer(id)),
  })
  return { ...context, ask: { ...context.ask, user } }
}

/** Identifies the definition of a tool. `undefined`: there is no such tool. */
type GetDefinition = (tool: string) => string | undefined

function createGetDefinition(definitions: readonly ToolDefinition[]): GetDefinition {
  const known = new Map(definitions.map((definition) => [definition.name, definition]))
  return (tool) => {
    const definition = known.get(tool)
    return definition && JSON.stringify(definition)
  }
}
