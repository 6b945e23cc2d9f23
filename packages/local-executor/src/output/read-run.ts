import { parseToolOutput } from '@toolblocks/parser'
import {
  type ContentBlock,
  MAX_OUTPUT_BYTES,
  nameInWords,
  type Outcome,
  type Problem,
  sayAndQuote,
  type ToolResult,
} from '@toolblocks/protocol'
import type { ProcessEnd } from '../process/run-process.ts'
import { describeLeft } from './describe-left.ts'
import type { Output } from './output-buffer.ts'

/** What is known once a program has ended. */
export interface FinishedRun {
  readonly tool: { name: string; timeoutMs: number; dialect: 'blocks' | 'outcome' }
  readonly callId: string
  readonly end: Exclude<ProcessEnd, { kind: 'not-started' }>
  readonly stdout: Output
  /** What it printed there, cut in the middle where that is long. */
  readonly stderr: string
}

/** The result, and whether the output could be written again from it. */
export interface ReadRun {
  readonly result: ToolResult
  readonly isReversible: boolean
}

/** Reads a finished run: a valid response wins over the exit code, and stderr never mixes with it. */
export function readRun(run: FinishedRun): ReadRun {
  const { result, warnings, isResponse, isReversible } = readOutput(run)
  const failure = describeStop(run) ?? (isResponse ? undefined : describeExit(run))
  const isError = result.isError || failure !== undefined
  const held = run.end.kind === 'exited' ? describeLeft(run.end) : []
  return {
    isReversible,
    result: {
      ...result,
      id: run.callId,
      content:
        failure === undefined ? result.content : [...result.content, ...withStderr(failure, run)],
      isError,
      metadata: {
        outcome: outcomeOf(run.end, isError),
        ...(warnings.length + held.length > 0 && { warnings: [...warnings, ...held] }),
        ...(failure === undefined && run.stderr !== '' && { stderr: run.stderr }),
      },
    },
  }
}

interface ReadOutput {
  readonly result: ToolResult
  readonly warnings: readonly Problem[]
  /** The output was a document, not raw text. */
  readonly isResponse: boolean
  readonly isReversible: boolean
}

function readOutput({ stdout, tool: { dialect } }: FinishedRun): ReadOutput {
  if (stdout.isWhole) {
    const { result, warnings, format, reversible } = parseToolOutput(stdout.bytes, { dialect })
    return { result, warnings, isResponse: format !== 'raw', isReversible: reversible }
  }
  const result: ToolResult = { content: [{ type: 'text', text: stdout.text }], isError: false }
  return { result, warnings: [tooLong(stdout.byteCount)], isResponse: false, isReversible: false }
}

function tooLong(byteCount: number): Problem {
  return {
    path: '',
    code: 'over-limit',
    message:
      'The output is too long to be read: its head and tail are shown. Print less, or in several calls.',
    expected: `at most ${MAX_OUTPUT_BYTES} bytes`,
    got: `${byteCount} bytes`,
  }
}

function describeStop({ tool: { name, timeoutMs }, end }: FinishedRun): string | undefined {
  if (end.kind !== 'stopped') return undefined
  return end.reason === 'cancelled'
    ? `Tool ${nameInWords(name)} was cancelled before it had finished.`
    : `Tool ${nameInWords(name)} was stopped: it had not finished after ${timeoutMs / 1000} s. Give it less to do, or a longer deadline in its configuration.`
}

function describeExit({ tool: { name }, end }: FinishedRun): string | undefined {
  if (end.kind !== 'exited' || end.code === 0) return undefined
  return typeof end.code === 'number'
    ? `Tool ${nameInWords(name)} ended with exit code ${end.code}.`
    : `Tool ${nameInWords(name)} was ended by the signal ${end.code}.`
}

/** What the program said stands apart from what we say of it. */
function withStderr(text: string, { stderr }: FinishedRun): readonly ContentBlock[] {
  if (stderr === '') return sayAndQuote(`${text} It printed nothing on stderr.`)
  return sayAndQuote(`${text} On stderr it printed:`, stderr)
}

function outcomeOf(end: FinishedRun['end'], isError: boolean): Outcome {
  if (end.kind === 'stopped') return end.reason
  return isError ? 'failed' : 'completed'
}
