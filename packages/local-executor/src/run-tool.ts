import {
  createErrorResult,
  nameInWords,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import { type KeptOriginal, keepOriginal } from './output/keep-original.ts'
import type { Store } from './output/output-buffer.ts'
import { type LineReporter, reportLines } from './output/report-lines.ts'
import { readRun } from './output/read-run.ts'
import { type Program, runProgram } from './run-program.ts'
import { toolRequest } from './tool-request.ts'

/** A definition that was read and found good. */
export interface LocalTool extends Program {
  readonly name: string
  /** What the executable calls itself. */
  readonly toolName: string
  readonly dialect: 'blocks' | 'outcome'
}

/** One use of a tool. */
export interface LocalCall {
  readonly action: 'run' | 'format_arguments'
  readonly call: ToolCall
  readonly context: ToolContext
}

/** Starts the executable once for a call and reads what came of it. Whatever fails is a result. */
export async function runTool(tool: LocalTool, use: LocalCall): Promise<ToolResult> {
  const request = toolRequest(use.action, tool.toolName, use)
  const store = storeOf(use)
  const lines = progressOf(use)
  const run = await runProgram(tool, {
    request,
    signal: use.context.signal,
    store,
    ...(lines && { onStderr: lines.write }),
  }).finally(() => lines?.end())
  if (run.kind === 'not-started') return notStarted(tool, use, run.reason)
  const { result, isReversible } = readRun({ ...run, tool, callId: use.call.id })
  const kept = store && !isReversible ? await keepOriginal(run.stdout, store) : {}
  return withMetadata(result, kept)
}

function notStarted(tool: LocalTool, { call }: LocalCall, reason: string): ToolResult {
  return createErrorResult(`Tool ${nameInWords(tool.name)} was not started. ${reason}`, call.id, {
    outcome: 'failed',
  })
}

/** What a program says on standard error while it runs is how far it is. */
function progressOf({ action, context: { onProgress } }: LocalCall): LineReporter | undefined {
  return action === 'run' && onProgress
    ? reportLines((message) => onProgress({ message }))
    : undefined
}

/** How a call is shown is not part of the conversation: only the output of runs is kept. */
function storeOf({ action, call, context: { keepBytes } }: LocalCall): Store | undefined {
  if (action !== 'run' || !keepBytes) return undefined
  return async (bytes) => keepBytes(bytes, { call: call.id, stream: 'stdout' })
}

function withMetadata(result: ToolResult, { raw, warning }: KeptOriginal): ToolResult {
  const all = [...(result.metadata?.warnings ?? []), ...(warning ? [warning] : [])]
  return {
    ...result,
    metadata: { ...result.metadata, ...(raw && { raw }), ...(all.length > 0 && { warnings: all }) },
  }
}
