import { type DescriptionWarning, parseToolDescriptions } from '@toolblocks/parser'
import { MAX_DESCRIPTION_BYTES, type ToolDescription, type ToolRequest } from '@toolblocks/protocol'
import { readCommand } from '../command/command.ts'
import { LocalToolError } from '../local-tool-error.ts'
import type { LocalCommand } from '../local-tool-definition.ts'
import { hostEnvironment, toolEnvironment } from '../process/environment.ts'
import { ON_WINDOWS } from '../process/platform.ts'
import { DEFAULT_GRACE_MS, type LocalToolOptions } from '../read-local-tool.ts'
import { type Program, type ProgramRun, runProgram } from '../run-program.ts'
import { explainRefusal, explainRun, type RunFailure } from './explain-run.ts'
import { writeCommand } from './write-command.ts'

/** How an executable is asked. */
export interface DescribeOptions extends LocalToolOptions {
  /** Absolute path of the workspace: where it is started. */
  root: string
  signal: AbortSignal
  workspaceId?: string
  /** As in `LocalToolDefinition`. */
  env?: readonly string[]
  /** As in `LocalToolDefinition`. */
  setEnv?: Readonly<Record<string, string>>
  /** Milliseconds until it is stopped. Default: 10,000. */
  timeoutMs?: number
}

/** What an executable says of itself, or why nothing is known. */
export type DescribedExecutable =
  | {
      ok: true
      /** Those that can be used; at least one. */
      tools: readonly ToolDescription[]
      /** What was left out or repaired; paths are in the document: `/tools/0/summary`. */
      warnings: readonly DescriptionWarning[]
    }
  | {
      ok: false
      /** What was run, what came back, and the two ways out; one paragraph. */
      message: string
      /** Why it could not be started at all, where that is so. */
      notStarted?: string
    }

const DEFAULT_TIMEOUT_MS = 10_000

/**
 * Starts an executable with the action `schema` and reads what it says of the tools it has (docs/protocol.md). Whatever
 * it does is an answer: `ok` is false when it exits non-zero (also with a document), prints anything else, more than
 * 1 MiB, or does not end in time. What it leaves behind is stopped. Placeholders in its command line are rendered without
 * a call. Throws a `LocalToolError` for a command that cannot be read.
 */
export async function describeExecutable(
  command: LocalCommand,
  options: DescribeOptions,
): Promise<DescribedExecutable> {
  const program = readProgram(command, options)
  const ran = writeCommand(command)
  const run = await runBounded(program, options)
  const failure = explainRun(run, program.timeoutMs)
  if (failure !== undefined)
    return {
      ...refuse(ran, failure),
      ...(run.kind === 'not-started' && { notStarted: run.reason }),
    }
  if (run.kind !== 'ended' || !run.stdout.isWhole) return refuse(ran, TOO_LONG)
  const parsed = parseToolDescriptions(run.stdout.bytes)
  if (!parsed.ok)
    return refuse(ran, {
      what: parsed.problems.map(({ message }) => message).join('; '),
      output: new TextDecoder().decode(run.stdout.bytes),
    })
  if (parsed.tools.length > 0) return parsed
  const [first] = parsed.warnings
  return refuse(ran, { what: `described no tool${first ? ` (${first.message})` : ''}` })
}

function readProgram(command: LocalCommand, options: DescribeOptions): Program {
  const read = readCommand(command)
  if (!read.ok) throw new LocalToolError(writeCommand(command), read.problems)
  const { env = [], setEnv = {}, environment = hostEnvironment() } = options
  return {
    command: read.command,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    leftBehind: 'stop',
    env: toolEnvironment(environment, { env, setEnv }, ON_WINDOWS ? 'windows' : 'posix'),
  }
}

/** Stops a program that prints more than a description may have. */
async function runBounded(
  program: Program,
  { root, workspaceId, signal }: DescribeOptions,
): Promise<ProgramRun> {
  const flood = new AbortController()
  const request: ToolRequest = {
    context: {
      action: 'schema',
      root,
      access: null,
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    },
  }
  return runProgram(program, {
    request,
    signal: AbortSignal.any([signal, flood.signal]),
    store: undefined,
    limit: { bytes: MAX_DESCRIPTION_BYTES, onExceeded: () => flood.abort() },
  })
}

function refuse(ran: string, failure: RunFailure): DescribedExecutable {
  return { ok: false, message: explainRefusal(ran, failure) }
}

const TOO_LONG: RunFailure = { what: `printed more than ${MAX_DESCRIPTION_BYTES} bytes` }
