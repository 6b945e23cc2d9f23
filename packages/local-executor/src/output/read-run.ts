import { parseToolOutput } from '@toolblocks/parser'
import {
  type BlobRef,
  type ContentBlock,
  type Outcome,
  type Problem,
  type ToolResult,
} from '@toolblocks/protocol'
import {
  createQuotingBlocks,
  MAX_OUTPUT_BYTES,
  quoteName,
  getErrorText,
  limitTime,
} from '@toolblocks/protocol/internal'
import type { LocalProblem } from '../command/local-tool-definition.ts'
import type { LeftProcess, ProcessEnd } from '../process/run-process.ts'
import type { Output, Store } from './output-buffer.ts'

/** The data of a program that has ended. */
interface FinishedRun {
  readonly tool: { name: string; timeoutMs: number; dialect: 'blocks' | 'outcome' }
  readonly callId: string
  readonly end: Exclude<ProcessEnd, { kind: 'not-started' }>
  readonly stdout: Output
  /** Its standard error, shortened in the middle if it is long. */
  readonly stderr: string
}

/** Reads a finished run. A valid response takes precedence over the exit code, and stderr is never mixed into it. */
export function readRun(run: FinishedRun): {
  readonly result: ToolResult
  readonly isReversible: boolean
} {
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
        failure === undefined
          ? result.content
          : [...result.content.filter(isNotEmpty), ...withStderr(failure, run)],
      isError,
      metadata: {
        outcome: getOutcome(run.end, isError),
        ...(warnings.length + held.length > 0 && { warnings: [...warnings, ...held] }),
        ...(failure === undefined && run.stderr !== '' && { stderr: run.stderr }),
      },
    },
  }
}

interface ReadOutput {
  readonly result: ToolResult
  readonly warnings: readonly Problem[]
  /** Whether the output was a document, not raw text. */
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
      'The output is too long to be read completely: its beginning and end are shown. Print less, or in several calls.',
    expected: `at most ${MAX_OUTPUT_BYTES} bytes`,
    got: `${byteCount} bytes`,
  }
}

function describeStop({ tool: { name, timeoutMs }, end }: FinishedRun): string | undefined {
  if (end.kind !== 'stopped') return undefined
  return end.reason === 'cancelled'
    ? `Tool ${quoteName(name)} was cancelled before it finished.`
    : `Tool ${quoteName(name)} was stopped: it had not finished after ${timeoutMs / 1000} s. Give it less to do, or a longer deadline in its configuration.`
}

function describeExit({ tool: { name }, end }: FinishedRun): string | undefined {
  if (end.kind !== 'exited' || end.code === 0) return undefined
  return typeof end.code === 'number'
    ? `Tool ${quoteName(name)} ended with exit code ${end.code}.`
    : `Tool ${quoteName(name)} was ended by the signal ${end.code}.`
}

/** Some models refuse an empty text, and beside the failure it says nothing. */
function isNotEmpty(block: ContentBlock): boolean {
  return block.type !== 'text' || block.text !== ''
}

/** The program's own text is kept separate from our messages. */
function withStderr(text: string, { stderr }: FinishedRun): readonly ContentBlock[] {
  if (stderr === '') return createQuotingBlocks(`${text} It printed nothing on stderr.`)
  return createQuotingBlocks(`${text} On stderr it printed:`, stderr)
}

function getOutcome(end: FinishedRun['end'], isError: boolean): Outcome {
  if (end.kind === 'stopped') return end.reason
  return isError ? 'failed' : 'completed'
}

/** The maximum number of processes that are named. */
const NAMED = 5

/** Describes the processes that a program left behind, and whether they were stopped. */
export function describeLeft({
  pipesHeld,
  left,
}: Pick<Extract<ProcessEnd, { kind: 'exited' }>, 'pipesHeld' | 'left'>): LocalProblem[] {
  if (pipesHeld)
    return [
      problem(
        `The program ended, but a process that it started held its output open and was killed${left.length > 0 ? `, with all processes that left its group: ${nameAll(left)}. Wait` : ': wait'} for the processes that you start, or redirect their output.`,
      ),
    ]
  if (left.length === 0) return []
  return left.some(({ fate }) => fate === 'killed')
    ? [
        problem(
          `The program ended, but processes that it started kept running and were killed: ${nameAll(left)}.`,
        ),
      ]
    : [
        problem(
          `The program ended, but processes that it started are still running: ${nameAll(left)}. To have such processes stopped, set leftover_processes to "stop" for this tool.`,
        ),
      ]
}

function problem(message: string): LocalProblem {
  return { path: '', code: 'processes-left-behind', message }
}

/** The names come from the processes themselves and are not trusted. */
function nameAll(left: readonly LeftProcess[]): string {
  const names = left
    .slice(0, NAMED)
    .map(({ pid, name }) => `${JSON.stringify(name)} (process ${pid})`)
  return left.length > NAMED
    ? `${names.join(', ')} and ${left.length - NAMED} more`
    : names.join(', ')
}

/** Where the complete output was stored, or the warning if it was not. */
export interface KeptOriginal {
  readonly raw?: BlobRef
  readonly warning?: LocalProblem
}

/** Milliseconds that a store may take after the tool has ended; after that the result is returned without it. */
const STORE_MS = 10_000

/** Passes an output to the store and waits for its reference. If the store fails, the result has a warning. */
export async function keepOriginal(output: Output, store: Store): Promise<KeptOriginal> {
  const late = Promise.withResolvers<never>()
  const stop = limitTime(STORE_MS, () =>
    late.reject(new Error(`no answer within ${STORE_MS / 1000} s`)),
  )
  try {
    const stored = output.isWhole ? store(output.bytes) : output.stored
    const raw = await Promise.race([stored, late.promise])
    return raw ? { raw } : {}
  } catch (error) {
    const reason = getErrorText(error)
    const message = `The original output could not be stored: ${reason}.`
    return { warning: { path: '', code: 'output-not-kept', message } }
  } finally {
    stop()
  }
}
