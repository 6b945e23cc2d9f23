import {
  createErrorResult,
  MAX_OUTPUT_BYTES,
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolResult,
} from '@toolblocks/protocol'
import type { Command } from './command/command.ts'
import { renderArguments } from './command/render-arguments.ts'
import { createHeadAndTail } from './output/head-and-tail.ts'
import { type Kept, keepOriginal } from './output/keep-original.ts'
import { createOutputBuffer, type Store } from './output/output-buffer.ts'
import { readRun } from './output/read-run.ts'
import type { Environment } from './process/environment.ts'
import { runProcess } from './process/run-process.ts'
import { NOT_JSON, toolRequest, writeRequest } from './tool-request.ts'

/** A definition that was read and found good. */
export interface LocalTool {
  readonly name: string
  /** What the executable calls itself. */
  readonly toolName: string
  readonly command: Command
  readonly timeoutMs: number
  readonly graceMs: number
  readonly dialect: 'blocks' | 'outcome'
  readonly leftBehind: 'keep' | 'stop'
  readonly env: Environment
}

/** One use of a tool. */
export interface LocalCall {
  readonly action: 'run' | 'format_arguments'
  readonly call: ToolCall
  readonly context: ToolContext
}

/** How much of stderr is kept, in bytes at each end. */
const STDERR_LIMITS = { head: 16 * 1024, tail: 48 * 1024 }

/** Starts the executable once for a call and reads what came of it. Whatever fails is a result. */
export async function runTool(tool: LocalTool, use: LocalCall): Promise<ToolResult> {
  const request = toolRequest(use.action, tool.toolName, use)
  const input = writeRequest(request)
  if (input === undefined) return notStarted(tool, use, NOT_JSON)
  const rendered = renderArguments(tool.command.args, request)
  if (!rendered.ok) return notStarted(tool, use, rendered.message)

  const store = storeOf(use)
  const stdout = createOutputBuffer(MAX_OUTPUT_BYTES, store)
  const stderr = createHeadAndTail(STDERR_LIMITS)
  const end = await runProcess({
    program: tool.command.program,
    args: rendered.args,
    cwd: use.context.root,
    env: tool.env,
    input: `${input}\n`,
    timeoutMs: tool.timeoutMs,
    graceMs: tool.graceMs,
    leftBehind: tool.leftBehind,
    signal: use.context.signal,
    onStdout: stdout.write,
    onStderr: stderr.write,
  })
  if (end.kind === 'not-started') return notStarted(tool, use, end.message)

  const output = stdout.finish()
  const { result, isReversible } = readRun({
    tool,
    callId: use.call.id,
    end,
    stdout: output,
    stderr: stderr.text(),
  })
  const kept = store && !isReversible ? await keepOriginal(output, store) : {}
  return withMetadata(result, { ...kept, warnings: rendered.warnings })
}

function notStarted(tool: LocalTool, { call }: LocalCall, reason: string): ToolResult {
  return createErrorResult(`Tool "${tool.name}" was not started. ${reason}`, call.id, {
    outcome: 'failed',
  })
}

/** How a call is shown is not part of the conversation: only the output of runs is kept. */
function storeOf({ action, call, context: { keepBytes } }: LocalCall): Store | undefined {
  if (action !== 'run' || !keepBytes) return undefined
  return async (bytes) => keepBytes(bytes, { call: call.id, stream: 'stdout' })
}

function withMetadata(
  result: ToolResult,
  { raw, warning, warnings }: Kept & { warnings: readonly Problem[] },
): ToolResult {
  const all = [...warnings, ...(result.metadata?.warnings ?? []), ...(warning ? [warning] : [])]
  return {
    ...result,
    metadata: { ...result.metadata, ...(raw && { raw }), ...(all.length > 0 && { warnings: all }) },
  }
}
