import {
  type AnswerQuestion,
  createSuccessResult,
  type InputRequest,
  type JsonSchema,
  type JsonValue,
  type Status,
  type Tool,
  type ToolCall,
  type ToolResult,
  withStatus,
} from '@toolblocks/protocol'
import { createToolExecutor } from '@toolblocks/tool-executor'
import { openLiveCall, type LiveOptions, type LiveSession } from './open-live-call.ts'

/** Creates a result of a live tool. */
export function says(status: Status, text: string, question?: InputRequest): ToolResult {
  const asked = question ? [{ type: 'question', question } as const] : []
  return withStatus(createSuccessResult([{ type: 'text', text }, ...asked]), status)
}

/** Creates a live call whose executor returns these results in order and then no output, with the list of the actions that it received. */
export function liveCall(
  responses: readonly ToolResult[],
  {
    lineEnd = '',
    inputSchema = {},
    user,
  }: { lineEnd?: string; inputSchema?: JsonSchema; user?: AnswerQuestion } = {},
): { live: LiveSession; received: JsonValue[] } {
  const received: JsonValue[] = []
  const rest = responses.values()
  const next = (): ToolResult => rest.next().value ?? withStatus(createSuccessResult([]), 'running')
  const tool: Tool = {
    name: 'live',
    inputSchema,
    execute: async () => createSuccessResult([]),
    spawn: async (call) => {
      received.push(['spawn', { ...call.arguments } as JsonValue])
      return {
        started: next(),
        fetch: async () => next(),
        apply: async (liveInput) => {
          received.push('input' in liveInput ? liveInput.input : { ...liveInput.answers })
          return next()
        },
        abort: async () => {
          received.push('abort')
          return says('stopped', 'aborted')
        },
      }
    },
  }
  const routes = { branch: { target: 'assistant' }, go: { target: 'assistant' } } as const
  const context = {
    signal: new AbortController().signal,
    root: '/',
    ask: { ...(user && { user }) },
  }
  const executor = createToolExecutor({ tools: [{ tool, policy: 'unattended', routes }] })
  const execute = (action: ToolCall['arguments']): Promise<ToolResult> =>
    executor.execute({ id: 'c', name: 'live', arguments: action }, context)
  const answer: LiveOptions['answer'] = async (result) => {
    const answered = await executor.answerWaiting(result, context)
    return answered && { result: answered.result, wasAsked: user !== undefined }
  }
  return {
    live: openLiveCall({ tool, values: { who: 'Ada' }, execute, answer, lineEnd }),
    received,
  }
}
