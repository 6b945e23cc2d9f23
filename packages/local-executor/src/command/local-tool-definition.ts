import { type Problem, type Tool, type ToolDefinition, isJsonObject } from '@toolblocks/protocol'
import { InvalidArgumentError, describeValue } from '@toolblocks/protocol/internal'

/**
 * The command that a call starts. A string is a command line, split once as a shell would. A list is its words, used unchanged. An object has a
 * `program` and its arguments `args` (default: none). With `shell` (default: `false`) the program is a script for `sh -c` (POSIX only) and the
 * arguments are its `$1`, `$2`, …
 */
export type LocalCommand =
  | string
  | readonly string[]
  | { readonly program: string; readonly args?: readonly string[]; readonly shell?: boolean }

/** Checks a command where a program that is not type-checked can give a wrong one. `call` is the function as a caller writes it. */
export function requireCommand(call: string, command: unknown): void {
  const isList = Array.isArray(command) && command.every((word) => typeof word === 'string')
  const isObject = isJsonObject(command) && typeof command['program'] === 'string'
  if (typeof command === 'string' || isList || isObject) return
  throw new InvalidArgumentError(
    `${call}: command: expected a string, an array of strings or an object with a program, got ${describeValue(command)}`,
  )
}

/** Whether a command is a list of words. `Array.isArray` does not narrow a readonly array. */
export function isWords(command: Exclude<LocalCommand, string>): command is readonly string[] {
  return Array.isArray(command)
}

/** An executable as a tool: its definition for a model, and how it is run (docs/protocol.md). */
export interface LocalToolDefinition extends ToolDefinition {
  /** Arguments may contain placeholders such as `{{tool.arguments.path}}`; the program may not. */
  command: LocalCommand
  /**
   * Arguments that are program text on purpose: a model writes code that is run. Their placeholders are allowed where a command expects program
   * text, and their values may begin with a dash. Names are those of placeholders: `code`, `cell.source`; `cells.*.source` for every item of a
   * list; parts of a named value are included. Only the author of the definition can set it, never the executable. Default: none.
   */
  codeArguments?: readonly string[]
  /**
   * Arguments whose text may begin with a dash, even where a program could read it as an option. Named as in `codeArguments`. Default: none.
   * Without it, a call is refused if such text comes neither after `--` nor after a script.
   */
  dashArguments?: readonly string[]
  /** The name that the executable receives in `tool.name`. Default: `name`. */
  toolName?: string
  /** Milliseconds from the start until the tool is stopped. Default: `DEFAULT_TIMEOUT_MS`. */
  timeoutMs?: number
  /**
   * Names of the host's variables that the tool receives in addition to the usual ones. A name may end in `*`: `AWS_*` matches all variables with
   * that prefix.
   */
  env?: readonly string[]
  /** Variables with their values, for this tool only. */
  setEnv?: Readonly<Record<string, string>>
  /**
   * What to do with processes that left the tool's process group and still run after the tool has ended. They are named in a warning; `stop` also
   * kills them. Default: `keep`, because a tool may intend to start a server. They can be found only on Linux. Processes inside the group, and all
   * processes after a deadline or a cancellation, are killed in any case.
   */
  leftoverProcesses?: 'keep' | 'stop'
  /** `outcome` also reads the older `{"type":"success"|"error"|"needs_input"}` documents. Default: `blocks`. */
  dialect?: 'blocks' | 'outcome'
  /**
   * Whether the executable supports the action `format_arguments`. Default: false, because an executable that ignores `context.action` would run
   * before the call is approved.
   */
  formatsArguments?: boolean
  /** Whether the executable also supports the live actions: it stays alive between them. Default: false. */
  stateful?: boolean
  /** The live actions that a model may use; `spawn` must be one of them. Default: all four. */
  actions?: NonNullable<Tool['actions']>
}

/** The default of `timeoutMs`: two minutes, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 120_000

/** The largest `timeoutMs`, in milliseconds: about 24 days, the maximum of a timer. */
export const MAX_TIMEOUT_MS = 2_147_483_647

/** The codes of the problems that this package reports, with definitions and with the output of programs. */
export const LOCAL_PROBLEM_CODES = [
  // of a definition
  'empty-command',
  'unbalanced-quotes',
  'unknown-placeholder',
  'placeholder-in-program',
  'unknown-argument',
  'invalid-timeout',
  'invalid-actions',
  'invalid-variable',
  // of a call
  'processes-left-behind',
  'over-limit',
  'output-not-kept',
] as const

/** A problem of a definition (in `LocalToolError.problems`) or of a program's output (in `metadata.warnings`, together with those of the parser). */
type LocalProblemCode = (typeof LOCAL_PROBLEM_CODES)[number]

/** A problem of a definition or of a program's output. */
export type LocalProblem = Problem<LocalProblemCode>

/** Thrown when a definition cannot become a tool. `problems` lists every invalid field. */
export class LocalToolError extends Error {
  readonly code = 'invalid-definition'
  /** Paths are JSON Pointers into the definition, for example `/command/args/0`. */
  readonly problems: readonly LocalProblem[]

  constructor(tool: string, problems: readonly LocalProblem[]) {
    const lines = problems.map(({ path, message }) => `${path}: ${message}`)
    super(`Tool "${tool}" cannot be created:\n${lines.join('\n')}`)
    this.name = 'LocalToolError'
    this.problems = problems
  }
}
