import {
  booleanQuestion,
  createSuccessResult,
  type CallContext,
  type ContentBlock,
  type Status,
  type Tool,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import { type LiveInput } from '@toolblocks/protocol/internal'
import {
  createToolExecutor,
  type ToolExecutor,
  type ToolExecutorOptions,
} from './create-tool-executor.ts'
import type { AnsweredLiveCall } from './execute-call.ts'
import type { ToolEntry } from './tool-entry.ts'

export const context: CallContext = { signal: new AbortController().signal, root: '/home/ada' }
export const text = (value: string): ContentBlock => ({ type: 'text', text: value })
export const question = (id: string): ContentBlock => ({
  type: 'question',
  question: booleanQuestion({ id, text: `Stage ${id}?` }),
})
export const says = (status: Status, ...content: ContentBlock[]): ToolResult =>
  withStatus(createSuccessResult(content), status)

/** Creates a stateful tool that returns these responses in order, and records its input. */
export function liveTool(
  responses: readonly ToolResult[],
  extra: Partial<Tool> = {},
): Tool & { received: unknown[] } {
  const received: unknown[] = []
  return {
    name: 'staging',
    inputSchema: {
      type: 'object',
      properties: { args: { type: 'array' } },
      additionalProperties: false,
    },
    execute: async () => createSuccessResult([text('ran once')]),
    spawn: async (call) => {
      const rest = responses.values()
      const next = (): ToolResult => rest.next().value ?? says('running')
      received.push(call.arguments)
      return {
        started: next(),
        fetch: async () => next(),
        apply: async (input: LiveInput) => {
          received.push(input)
          return next()
        },
        abort: async () => {
          received.push('abort')
          return says('stopped', text('aborted'))
        },
      }
    },
    ...extra,
    received,
  }
}

const executors: ToolExecutor[] = []
/** Leaves no timer behind. For `afterEach`. */
export async function closeExecutors(): Promise<void> {
  await Promise.all(executors.splice(0).map(async (executor) => executor.close()))
}

type Act = (values: Record<string, unknown>, extra?: Partial<CallContext>) => Promise<ToolResult>
type Answer = (
  result: ToolResult,
  extra?: Partial<CallContext>,
) => Promise<AnsweredLiveCall | undefined>
type Settings = Partial<ToolEntry> & Pick<ToolExecutorOptions, 'limits' | 'recordInquiry'>

export function makeExecutor(tool: Tool, settings: Settings = {}): Act {
  return withExecutor(tool, settings).act
}

/** Creates an executor and a function that calls its stateful tool. */
export function withExecutor(
  tool: Tool,
  settings: Settings = {},
): { executor: ToolExecutor; act: Act; answer: Answer } {
  const { limits = {}, recordInquiry, ...entry } = settings
  const executor = createToolExecutor({
    tools: [{ tool, policy: 'unattended', ...entry }],
    limits,
    ...(recordInquiry && { recordInquiry }),
  })
  executors.push(executor)
  let count = 0
  const act = async (
    values: Record<string, unknown>,
    extra: Partial<CallContext> = {},
  ): Promise<ToolResult> => {
    count += 1
    return await executor.execute(
      { id: `call-${count}`, name: 'staging', arguments: values },
      { ...context, ...extra },
    )
  }
  const answer: Answer = async (result, extra = {}) =>
    await executor.answerWaiting(result, { ...context, ...extra })
  return { executor, act, answer }
}

export const spawn = { action: 'spawn', id: 'a' }
export const getWords = (result: ToolResult): string =>
  result.content
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join(' | ')
