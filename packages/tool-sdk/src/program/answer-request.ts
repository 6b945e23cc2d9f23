import { inspect } from 'node:util'
import {
  type AnswerQuestion,
  createErrorResult,
  type ToolRequest,
  type ToolResult,
} from '@toolblocks/protocol'
import type { DefinedTool } from '../defined-tool.ts'
import { formatCall } from '../run/format-call.ts'
import { runCall } from '../run/run-call.ts'
import type { GivenRun } from '../run/tool-run.ts'

/** The tool that a request is for, or the result that says which there are. One alone is meant by any name. */
export function findTool(
  tools: readonly DefinedTool[],
  { tool: called }: ToolRequest,
): DefinedTool | ToolResult {
  const [only] = tools
  const found = tools.find(({ name }) => name === called?.name)
  if (found) return found
  if (only && tools.length === 1) return only
  const names = tools.map(({ name }) => name).join(', ')
  return createErrorResult(
    `No tool is called ${JSON.stringify(called?.name)}; there are: ${names}.`,
  )
}

/** Runs the tool, or shows its arguments. Never rejects. */
export async function answerRequest(
  tool: DefinedTool,
  request: ToolRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const given = runOf(request, signal)
  switch (request.context.action) {
    case 'run':
      return asksNothing(tool, await runCall(tool, given, { ask: cannotWait, onThrow: log }))
    case 'format_arguments':
      return await formatCall(tool, given)
    case 'schema':
    case 'spawn':
    case 'fetch':
    case 'apply':
    case 'abort':
      return createErrorResult(
        `No tool is running that could ${request.context.action}; spawn it first.`,
      )
  }
}

/** A program that runs once is started anew for an answer: one that stays alive would do again what it did before. */
const cannotWait: AnswerQuestion = async () => ({
  action: 'cancel',
  reason: 'nobody',
  message: 'a stateful tool can wait only where it is spawned, so declare it stateful',
})

/** Whoever gets a question starts the program again. */
function asksNothing({ work }: DefinedTool, result: ToolResult): ToolResult {
  return work.stateful
    ? { ...result, content: result.content.filter(({ type }) => type !== 'question') }
    : result
}

/** Whoever writes the tool wants to know where it threw. */
function log(thrown: unknown): void {
  process.stderr.write(`${inspect(thrown)}\n`)
}

/** What a request says of a run. */
export function runOf({ context, tool }: ToolRequest, signal: AbortSignal): GivenRun {
  const { root, workspace_id: workspaceId, conversation_id: conversationId } = context
  return {
    name: tool?.name ?? '',
    arguments: tool?.arguments ?? {},
    answers: tool?.answers ?? {},
    options: tool?.options ?? {},
    root,
    signal,
    ...(workspaceId !== undefined && { workspaceId }),
    ...(conversationId !== undefined && { conversationId }),
  }
}
