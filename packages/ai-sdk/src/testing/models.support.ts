import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { openStore } from '@toolblocks/conversation-store'
import { createSuccessResult, type Tool, type ToolResult } from '@toolblocks/protocol'
import { createToolExecutor, type ToolEntry } from '@toolblocks/tool-executor'
import { isStepCount, type ModelMessage, streamText, type TextStreamPart, type ToolSet } from 'ai'
import { onTestFinished } from 'vitest'
import {
  type Provider,
  type ProviderResponse,
  startProvider,
} from '../../../../journeys/stage/provider.ts'
import { type AiSdkTools, type AiSdkToolsOptions, toAiSdkTools } from '../tools/to-ai-sdk-tools.ts'

globalThis.AI_SDK_LOG_WARNINGS = false

/** How each provider is reached through the AI SDK: the format on the wire, and the model. */
export const PROVIDERS = {
  Anthropic: [
    'anthropic',
    (url) => createAnthropic({ apiKey: 'k', baseURL: url })('claude-sonnet-4-5'),
  ],
  'OpenAI Responses': [
    'openai',
    (url) => createOpenAI({ apiKey: 'k', baseURL: url }).responses('gpt-5'),
  ],
  'OpenAI Chat': [
    'openai-compatible',
    (url) => createOpenAI({ apiKey: 'k', baseURL: url }).chat('gpt-4.1'),
  ],
  Google: ['google', (url) => createGoogle({ apiKey: 'k', baseURL: url })('gemini-3-pro')],
  'OpenAI-compatible': [
    'openai-compatible',
    (url) => createOpenAICompatible({ name: 'local', baseURL: url })('m'),
  ],
} as const satisfies Record<
  string,
  readonly [Parameters<typeof startProvider>[1], (url: string) => LanguageModelV4]
>

export type ProviderName = keyof typeof PROVIDERS

/** A tool that returns this result. */
export function createFixedTool(name: string, result: ToolResult, more: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: 'object' }, execute: async () => result, ...more }
}

/** A tool that returns its arguments as text. */
export const ECHO: Tool = {
  name: 'echo',
  summary: 'Returns its text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: async ({ arguments: { text } }) =>
    createSuccessResult([{ type: 'text', text: `Echo: ${String(text)}` }]),
}

/** An executor, its tools for the AI SDK, and a store in memory. It ends with the test. */
export async function createTools(
  entries: readonly ToolEntry[],
  more: Partial<AiSdkToolsOptions> = {},
): Promise<AiSdkTools & { store: Awaited<ReturnType<typeof openStore>> }> {
  const store = await openStore('memory:')
  const executor = createToolExecutor({ tools: entries, liveSchema: 'flat' })
  onTestFinished(async () => {
    await executor.close()
    await store.close()
  })
  const context = { root: '/w', conversationId: 'chat-1' }
  const made = toAiSdkTools(executor, { context, approvals: store.documents, ...more })
  return { ...made, store }
}

/** A provider of this name on loopback, and its model. */
export async function startModel(
  name: ProviderName,
  answers: readonly ProviderResponse[],
): Promise<{ provider: Provider; model: LanguageModelV4 }> {
  const [wire, create] = PROVIDERS[name]
  const provider = await startProvider(answers, wire)
  return { provider, model: create(provider.url) }
}

/** Runs a turn to its end, and returns its parts and the messages of its response. */
export async function runTurn(
  { tools, toolApproval, prepareModel }: AiSdkTools,
  {
    model,
    messages = [{ role: 'user', content: 'Go.' }],
    ...more
  }: {
    model: LanguageModelV4
    messages?: ModelMessage[]
    abortSignal?: AbortSignal
    experimental_toolApprovalSecret?: string
  },
): Promise<{ parts: TextStreamPart<ToolSet>[]; messages: ModelMessage[] }> {
  const errors: unknown[] = []
  const turn = streamText({
    model: prepareModel(model),
    tools,
    toolApproval,
    messages,
    stopWhen: isStepCount(5),
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    ...more,
  })
  const parts: TextStreamPart<ToolSet>[] = []
  for await (const part of turn.fullStream) parts.push(part)
  const [error] = errors
  if (error !== undefined) throw error
  return { parts, messages: [...messages, ...(await turn.responseMessages)] }
}

/** Returns the outputs of the tools in the parts of a turn. */
export function getOutputs(parts: readonly TextStreamPart<ToolSet>[]): unknown[] {
  return parts.flatMap((part) =>
    part.type === 'tool-result' && part.preliminary !== true ? [part.output] : [],
  )
}
