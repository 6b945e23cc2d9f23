import {
  type Problem,
  type ToolCall,
  type ToolContext,
  type ToolRequest,
  type ToolResult,
  createErrorResult,
} from '@toolblocks/protocol'
import { MAX_OUTPUT_BYTES, withWarnings, quoteName } from '@toolblocks/protocol/internal'
import { type Command, renderArguments } from './command/template.ts'
import { NOT_JSON, toolRequest, serializeRequest } from './command/tool-request.ts'
import {
  type Output,
  type Store,
  createHeadAndTail,
  createOutputBuffer,
} from './output/output-buffer.ts'
import { type KeptOriginal, keepOriginal, readRun } from './output/read-run.ts'
import { type LineReporter, reportLines } from './output/report-lines.ts'
import { takeProgress } from './output/take-progress.ts'
import type { Environment } from './process/environment.ts'
import { type ProcessEnd, runProcess } from './process/run-process.ts'
import { explainWithheld, findWithheld } from './process/withheld-variables.ts'

/** A program with its limits. */
export interface Program {
  readonly command: Command
  readonly timeoutMs: number
  readonly graceMs: number
  readonly leftoverProcesses: 'keep' | 'stop'
  readonly env: Environment
}

/** A definition that was read and is valid. */
export interface LocalTool extends Program {
  readonly name: string
  /** The tool name that the executable receives. */
  readonly toolName: string
  readonly dialect: 'blocks' | 'outcome'
  /** The variables of this process, of which the program receives `env`. */
  readonly host: Environment
}

/** One use of a tool. */
export interface LocalCall {
  readonly action: 'run' | 'format_arguments'
  readonly call: ToolCall
  readonly context: ToolContext
}

/** Starts the executable once for a call and reads its output. Every failure is a result. */
export async function runTool(tool: LocalTool, use: LocalCall): Promise<ToolResult> {
  const request = toolRequest(use.action, tool.toolName, use)
  const store = findStore(use)
  const lines = findProgress(use)
  const run = await runProgram(tool, {
    request,
    signal: use.context.signal,
    store,
    ...(lines && { lines }),
  }).finally(() => lines?.end())
  if (run.kind === 'not-started') {
    const text = `Tool ${quoteName(tool.name)} was not started. ${run.reason}`
    return createErrorResult(text, use.call.id, { outcome: 'failed' })
  }
  const { result, isReversible } = readRun({ ...run, tool, callId: use.call.id })
  const kept: KeptOriginal = store && !isReversible ? await keepOriginal(run.stdout, store) : {}
  const { raw, warning } = kept
  const withheld = result.isError ? warnOfWithheld(tool, { result, stderr: run.stderr }) : []
  const warned = withWarnings(result, { after: [...(warning ? [warning] : []), ...withheld] })
  return raw ? { ...warned, metadata: { ...warned.metadata, raw } } : warned
}

/** Says which variables a program that failed may lack. */
function warnOfWithheld(
  { host, env }: LocalTool,
  { result: { content }, stderr }: { result: ToolResult; stderr: string },
): readonly Problem[] {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
  const names = findWithheld([...texts, stderr].join('\n'), { host, passed: env })
  return names.length === 0 ? [] : [{ path: '', message: explainWithheld(names) }]
}

/** Standard error of a running program is reported as progress. */
function findProgress({ action, context: { onProgress } }: LocalCall): LineReporter | undefined {
  return action === 'run' && onProgress ? reportLines(onProgress) : undefined
}

/** Only the output of runs is stored: formatted arguments are not part of the conversation. */
function findStore({ action, call, context: { keepBytes } }: LocalCall): Store | undefined {
  if (action !== 'run' || !keepBytes) return undefined
  return async (bytes) => keepBytes(bytes, { call: call.id, stream: 'stdout' })
}

/** The purpose of a program's start. */
interface ProgramUse {
  readonly request: ToolRequest
  readonly signal: AbortSignal
  /** Receives output that is too large for memory. */
  readonly store: Store | undefined
  /** Reports the progress from standard error. */
  readonly lines?: LineReporter
  /** Default: `MAX_OUTPUT_BYTES`, and the program continues. */
  readonly limit?: { readonly bytes: number; readonly onExceeded: () => void }
}

/** The end of a program and its output, as unread bytes. */
export type ProgramRun =
  | { readonly kind: 'not-started'; readonly reason: string }
  | {
      readonly kind: 'ended'
      readonly end: Exclude<ProcessEnd, { kind: 'not-started' }>
      readonly stdout: Output
      /** Shortened in the middle if it is long. */
      readonly stderr: string
    }

/** How many bytes of stderr are kept at each end. */
const STDERR_LIMITS = { head: 16 * 1024, tail: 48 * 1024 }

/** Starts a program once with a request on standard input and in its command line, and waits for its end. */
export async function runProgram(
  program: Program,
  { request, signal, store, lines, limit }: ProgramUse,
): Promise<ProgramRun> {
  const input = serializeRequest(request)
  if (input === undefined) return { kind: 'not-started', reason: NOT_JSON }
  const rendered = renderArguments(program.command.args, request)
  if (!rendered.ok) return { kind: 'not-started', reason: rendered.message }
  const stdout = createOutputBuffer(limit?.bytes ?? MAX_OUTPUT_BYTES, store, limit?.onExceeded)
  const stderr = createHeadAndTail(STDERR_LIMITS)
  const reports = takeProgress(
    (progress) => lines?.tell(progress),
    (chunk) => {
      stderr.write(chunk)
      lines?.write(chunk)
    },
  )
  const end = await runProcess({
    program: program.command.program,
    args: rendered.args,
    cwd: request.context.root,
    env: program.env,
    input: `${input}\n`,
    timeoutMs: program.timeoutMs,
    graceMs: program.graceMs,
    leftoverProcesses: program.leftoverProcesses,
    signal,
    onStdout: stdout.write,
    onStderr: reports.write,
  })
  reports.end()
  if (end.kind === 'not-started') return { kind: 'not-started', reason: end.message }
  return { kind: 'ended', end, stdout: stdout.finish(), stderr: stderr.text() }
}
