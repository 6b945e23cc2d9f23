import { MAX_OUTPUT_BYTES, type ToolRequest } from '@toolblocks/protocol'
import type { Command } from './command/command.ts'
import { renderArguments } from './command/render-arguments.ts'
import { createHeadAndTail } from './output/head-and-tail.ts'
import { createOutputBuffer, type Output, type Store } from './output/output-buffer.ts'
import type { Environment } from './process/environment.ts'
import { type ProcessEnd, runProcess } from './process/run-process.ts'
import { NOT_JSON, writeRequest } from './tool-request.ts'

/** A program, and how it is supervised. */
export interface Program {
  readonly command: Command
  readonly timeoutMs: number
  readonly graceMs: number
  readonly leftBehind: 'keep' | 'stop'
  readonly env: Environment
}

/** What a program is started for. */
export interface ProgramUse {
  readonly request: ToolRequest
  readonly signal: AbortSignal
  /** Gets output that is too large to be held. */
  readonly store: Store | undefined
  /** Gets what comes on standard error, beside what is kept of it. */
  readonly onStderr?: (chunk: Uint8Array) => void
  /** Default: `MAX_OUTPUT_BYTES`, and the program goes on. */
  readonly limit?: { readonly bytes: number; readonly onExceeded: () => void }
}

/** What came of running a program: bytes, which nobody has read yet. */
export type ProgramRun =
  | { readonly kind: 'not-started'; readonly reason: string }
  | {
      readonly kind: 'ended'
      readonly end: Exclude<ProcessEnd, { kind: 'not-started' }>
      readonly stdout: Output
      /** Cut in the middle where it is long. */
      readonly stderr: string
    }

/** How much of stderr is kept, in bytes at each end. */
const STDERR_LIMITS = { head: 16 * 1024, tail: 48 * 1024 }

/** Starts a program once with a request on standard input and in its command line, and waits for its end. */
export async function runProgram(
  program: Program,
  { request, signal, store, onStderr, limit }: ProgramUse,
): Promise<ProgramRun> {
  const input = writeRequest(request)
  if (input === undefined) return { kind: 'not-started', reason: NOT_JSON }
  const rendered = renderArguments(program.command.args, request)
  if (!rendered.ok) return { kind: 'not-started', reason: rendered.message }
  const stdout = createOutputBuffer(limit?.bytes ?? MAX_OUTPUT_BYTES, store, limit?.onExceeded)
  const stderr = createHeadAndTail(STDERR_LIMITS)
  const end = await runProcess({
    program: program.command.program,
    args: rendered.args,
    cwd: request.context.root,
    env: program.env,
    input: `${input}\n`,
    timeoutMs: program.timeoutMs,
    graceMs: program.graceMs,
    leftBehind: program.leftBehind,
    signal,
    onStdout: stdout.write,
    onStderr: (chunk) => {
      stderr.write(chunk)
      onStderr?.(chunk)
    },
  })
  if (end.kind === 'not-started') return { kind: 'not-started', reason: end.message }
  return { kind: 'ended', end, stdout: stdout.finish(), stderr: stderr.text() }
}
