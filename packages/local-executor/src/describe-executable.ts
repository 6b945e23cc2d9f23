import { type DescriptionWarning, parseToolDescriptions } from '@toolblocks/parser'
import { type ToolDescription, type ToolRequest } from '@toolblocks/protocol'
import {
  requireArguments,
  escapeUnprintable,
  requireChoices,
  MAX_DESCRIPTION_BYTES,
} from '@toolblocks/protocol/internal'
import { quote } from 'shlex'
import { readCommand } from './command/command.ts'
import {
  type LocalCommand,
  LocalToolError,
  isWords,
  requireCommand,
} from './command/local-tool-definition.ts'
import { DEFAULT_GRACE_MS, type LocalToolOptions } from './create-local-tool.ts'
import { ON_WINDOWS, hostEnvironment, toolEnvironment } from './process/environment.ts'
import { type Program, type ProgramRun, runProgram } from './run-tool.ts'

/** Options for asking an executable for its description. */
export interface DescribeOptions extends LocalToolOptions {
  /** Absolute path of the workspace, in which it is started. */
  root: string
  signal: AbortSignal
  /** The workspace id that the executable receives. Default: none. */
  workspaceId?: string
  /** As in `LocalToolDefinition`. */
  env?: readonly string[]
  /** As in `LocalToolDefinition`. */
  setEnv?: Readonly<Record<string, string>>
  /** Milliseconds until it is stopped. Default: 10,000. */
  timeoutMs?: number
}

/** The description that an executable gives of itself, or why there is none. */
export type ExecutableDescription =
  | {
      ok: true
      /** The valid tools; at least one. */
      tools: readonly ToolDescription[]
      /** What was omitted or repaired. Paths are relative to the document: `/tools/0/summary`. */
      warnings: readonly DescriptionWarning[]
    }
  | {
      ok: false
      /** One paragraph: the command, its output, and the two ways to fix it. */
      message: string
      /** Why it could not be started, if that is the reason. */
      notStarted?: string
    }

const DEFAULT_TIMEOUT_MS = 10_000

/**
 * Starts an executable with the action `schema` and reads its description of its tools (docs/protocol.md). `ok` is false when it exits non-zero
 * (even with a document), prints anything else or more than 1 MiB, or does not end in time. Processes that it leaves behind are stopped.
 * Placeholders in its command line are rendered without a call. Throws a `LocalToolError` for an invalid command.
 */
export async function describeExecutable(
  command: LocalCommand,
  options: DescribeOptions,
): Promise<ExecutableDescription> {
  requireCommand('describeExecutable(command, options)', command)
  requireArguments(
    'describeExecutable(command, options)',
    [command, 'anything'],
    [options, 'object'],
  )
  requireChoices('describeExecutable(command, options)', 'options', options, {
    read: ['now', 'at-first-call'],
  })
  const program = readProgram(command, options)
  const ran = formatCommand(command)
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
  if (!read.ok) throw new LocalToolError(formatCommand(command), read.problems)
  const { env = [], setEnv = {}, environment = hostEnvironment() } = options
  return {
    command: read.command,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    graceMs: options.graceMs ?? DEFAULT_GRACE_MS,
    leftoverProcesses: 'stop',
    env: toolEnvironment(environment, { env, setEnv }, ON_WINDOWS ? 'windows' : 'posix'),
  }
}

/** Stops a program that prints more than the limit of a description. */
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

function refuse(ran: string, failure: RunFailure): ExecutableDescription {
  return { ok: false, message: explainRefusal(ran, failure) }
}

const TOO_LONG: RunFailure = { what: `printed more than ${MAX_DESCRIPTION_BYTES} bytes` }

/** Why a run gave no description: the end of a sentence that begins with the command, and the output. */
interface RunFailure {
  readonly what: string
  readonly output?: string
  /** Whether no program ran, so that a description of its arguments would not help. Default: one ran. */
  readonly isNotStarted?: boolean
}

/** Explains why the run itself failed. Returns `undefined` if it did not; then its output decides. */
export function explainRun(run: ProgramRun, timeoutMs: number): RunFailure | undefined {
  if (run.kind === 'not-started')
    return { what: `could not be started: ${run.reason}`, isNotStarted: true }
  const { end, stdout, stderr } = run
  const printed = stdout.isWhole ? new TextDecoder().decode(stdout.bytes) : stdout.text
  const output = printed.trim() === '' ? stderr : printed
  switch (end.kind) {
    case 'stopped':
      if (!stdout.isWhole) return undefined
      return {
        what:
          end.reason === 'timeout' ? `did not end within ${timeoutMs / 1000} s` : 'was cancelled',
        output,
      }
    case 'exited':
      if (end.code === 0) return undefined
      return {
        what:
          typeof end.code === 'number'
            ? `ended with exit code ${end.code}`
            : `was ended by the signal ${end.code}`,
        output,
      }
  }
}

const MAX_LINE_LENGTH = 120

/** Returns one paragraph: the command, its output, and the two ways to fix it, or the one way if the command itself cannot run. */
export function explainRefusal(
  ran: string,
  { what, output = '', isNotStarted = false }: RunFailure,
): string {
  const line = findReason(output)
  const quoted = line === '' ? '' : `: ${escapeUnprintable(JSON.stringify(cutMiddle(line)))}`
  const asked = `${ran}, asked to describe itself (action "schema"), ${what}${quoted}`
  const sentence = asked.endsWith('.') ? asked : `${asked}.`
  if (isNotStarted) return sentence
  return `${sentence} ${namesMissingFile(line, ran) ? 'Check the path in its command.' : WAYS_OUT}`
}

/** The reason is often at the end of a line, after a long path. */
function cutMiddle(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line
  const half = MAX_LINE_LENGTH / 2
  return `${line.slice(0, half)}…${line.slice(-half)}`
}

const MISSING_FILE = /no such file|can't open|cannot find module|cannot open/i

/** Whether an interpreter says that a file of its own command is not there. A file that only the tool opens is another matter. */
function namesMissingFile(line: string, ran: string): boolean {
  const files = ran
    .split(/\s+/)
    .slice(1)
    .map((word) => word.replaceAll(/^['"]|['"]$/g, '').replace(/^\.\//, ''))
    .filter((word) => /\w[./]\w/.test(word) && !word.includes('{{'))
  return MISSING_FILE.test(line) && files.some((file) => line.includes(file))
}

/** A line with which JavaScript and other languages name an error, after lines about its place. */
const ERROR_LINE = /^\s*(?:\w+\.)*\w*(?:Error|Exception)\b/

/** Returns the line of an output that says what is wrong: the last one of Python's traceback, the name of an error, else the first line. */
function findReason(output: string): string {
  const lines = output.trim().split('\n')
  const [first = ''] = lines
  const line = first.startsWith('Traceback ')
    ? lines.at(-1)
    : lines.find((each) => ERROR_LINE.test(each))
  return (line ?? first).trim()
}

const WAYS_OUT =
  'Give the tool a "parameters" table in the configuration ("parameters = {}" if it takes no arguments), or let the program answer the action "schema" (docs/protocol.md).'

/** Returns a command as a person would type it. It may contain untrusted text: encode it before it is shown. */
export function formatCommand(command: LocalCommand): string {
  requireCommand('formatCommand(command)', command)
  if (typeof command === 'string') return command
  if (isWords(command)) return command.map(quoteWord).join(' ')
  const { program, args = [], shell = false } = command
  const commandWords = shell ? ['sh', '-c', program, 'sh', ...args] : [program, ...args]
  return commandWords.map(quoteWord).join(' ')
}

/** Placeholders are easier to read without quotes, and no shell reads this text. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : quote(word)
}
